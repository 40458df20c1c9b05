/** Of so many places as many as one owner may have: an eighth is for others, however much of his is stuck. */
export function mostOfOne(places: number): number {
  return Number.isFinite(places) ? places - Math.floor(places / 8) : places;
}
