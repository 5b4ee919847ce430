/**
 * Returns the data URL of a tiny JPEG, a picture of 8×8 pixels.
 * @throws RangeError if the value is not base64 of at most 24 bytes.
 */
export function toDataURL(tiny: string): string;
