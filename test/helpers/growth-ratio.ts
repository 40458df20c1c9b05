/**
 * How much more of the processor four times the text takes, as a ratio: 4 where time grows with the text, 16 where it
 * grows with its square. `characters` is the length of the longer one.
 */
export function growthOf(work: (text: string) => unknown, text: string, characters: number): number {
  const timeOf = (length: number) => {
    const whole = text.repeat(Math.ceil(length / text.length));
    const times = Array.from({ length: 5 }, () => {
      const begun = process.cpuUsage();
      work(whole);
      return process.cpuUsage(begun).user / 1_000;
    });
    return Math.min(...times);
  };
  // What takes less than that is noise.
  return timeOf(characters) / Math.max(timeOf(characters / 4), 0.5);
}
