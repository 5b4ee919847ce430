const header =
  "/9j/2wDFABQSGBYTGRYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYBEA8PDw4QDw8PDw4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODgIPEQ8PDxEPDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8P/8AAEQgACAAIAwERAAIRAQMRAv/EAJ0AAAMBAQEBAQAAAAAAAAAAAAMEBQIBBgAHAQADAQEBAQEAAAAAAAAAAAACAwQBAAUGBxAAAgEDAgQEAgkCBgMAAwEBAQIDABESBCETIjFBMlFhcQWBFCNCUmJykaGxosEVM0OCktEkU3M0Y+FEJREAAgIBAgQEBwEBAQEBAQAAAAECEQMSIRMxQVEEImGRFDJCUmJxoYGxI0MFM//aAAwDAQACEQMRAD8A";

/** Returns the data URL of a tiny JPEG, a picture of 8×8 pixels; the browser decodes it. */
export function toDataURL(tiny) {
  // A template may have written that there is no value.
  if (typeof tiny != "string" || !/^(?!null$|none$)([a-z\d+/]{4}){1,8}$/i.test(tiny)) {
    throw new RangeError("invalid tiny JPEG: expected base64 of at most 24 bytes");
  }
  return `data:image/jpeg;base64,${header}${tiny}/9k=`;
}
