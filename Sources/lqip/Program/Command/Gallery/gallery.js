document.querySelector("h1").after(document.querySelector(".summary"));
for (const element of document.querySelectorAll(".scripted")) element.hidden = false;
for (const button of document.querySelectorAll(".larger")) button.disabled = false;
