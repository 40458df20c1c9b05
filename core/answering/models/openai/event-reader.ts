const DATA = 'data:';

/** Takes the data out of a stream of server-sent events that comes in pieces. */
export class EventReader {
  readonly #decoder = new TextDecoder();
  /** The beginning of a line whose end has not come yet. */
  #begun = '';

  /** The data of the lines that are whole now; one that has several lines counts as several, which no provider sends. */
  push(piece: Uint8Array): readonly string[] {
    const text = this.#begun + this.#decoder.decode(piece, { stream: true });
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    this.#begun = lines.pop() ?? '';
    return lines.flatMap((line) => (line.startsWith(DATA) ? line.slice(DATA.length).trim() : []));
  }
}
