/** Rows that wait for an answer each, and come in the order of the answers. */
export class Flights<Row> {
  readonly #flights = new Map<string, { readonly row: Row; readonly landed: Promise<string> }>();

  get size(): number {
    return this.#flights.size;
  }

  get keys(): readonly string[] {
    return [...this.#flights.keys()];
  }

  get rows(): readonly Row[] {
    return [...this.#flights.values()].map(({ row }) => row);
  }

  /** A failure lands as well: the reader that takes the row meets it again. */
  begin(key: string, row: Row, arrival: Promise<void>): void {
    const landed = arrival.then(
      () => key,
      () => key,
    );
    this.#flights.set(key, { row, landed });
  }

  /** Returns the next row that arrives, or undefined if none is on its way. */
  async land(): Promise<Row | undefined> {
    if (this.#flights.size === 0) return undefined;
    const key = await Promise.race([...this.#flights.values()].map(({ landed }) => landed));
    const row = this.#flights.get(key)?.row;
    this.#flights.delete(key);
    return row;
  }
}
