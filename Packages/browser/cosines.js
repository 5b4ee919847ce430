/** Returns the cosines of `count` frequencies for each position. */
export function cosines(count, length, offset) {
  if (!Number.isInteger(length) || length < 1) throw new RangeError("invalid size");
  const table = new Float64Array(count * length);
  for (let index = 0; index < table.length; index += 1) {
    table[index] = Math.cos(Math.PI / length * (index % count) * ((index / count | 0) + offset));
  }
  return table;
}
