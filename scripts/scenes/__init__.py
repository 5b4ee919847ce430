"""Synthetic scenes that look like photographs, rendered from formulas without randomness."""

from scenes.indoors import fruit, room
from scenes.outdoors import mountains, street
from scenes.portrait import portrait

# The render function, width and height of each scene.
SCENES = {
    "mountains": (mountains, 900, 600),
    "street": (street, 600, 800),
    "room": (room, 660, 440),
    "portrait": (portrait, 600, 800),
    "fruit": (fruit, 720, 480),
}
