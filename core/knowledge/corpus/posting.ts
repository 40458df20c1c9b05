const frequencyBits = 16;
const mostFrequent = 2 ** frequencyBits - 1;

/** In which chunk a term occurs and how often, in one number. */
export function posting(place: number, frequency: number): number {
  return place * 2 ** frequencyBits + frequency;
}

export function placeOf(packed: number): number {
  return packed >>> frequencyBits;
}

export function frequencyOf(packed: number): number {
  return packed & mostFrequent;
}
