/** A record of a JSON file, parsed; or why it is none. */
export type JsonRecord = { readonly value: unknown } | { readonly omission: 'unreadable' | 'too_large' };

/** In characters. A ticket with hundreds of comments is shorter. */
const MAX_RECORD = 4_000_000;
/** The names of the lists that exports wrap their records into. */
const LIST_NAMES: ReadonlySet<string> = new Set(['tickets', 'conversations', 'payload', 'results', 'data']);
/** How deep such a list may be: `{"data": {"payload": [`. A list `data` at that depth belongs to a record. */
const MAX_LIST_DEPTH = 2;
const MAX_NAME = 40;

/**
 * Reads the records of a JSON file as they come: a list, a list within an object, or one object a line (NDJSON). A broken
 * record costs itself alone where its end can be told. The reader holds one record at a time.
 */
export async function* readJsonRecords(chunks: AsyncIterable<string>): AsyncGenerator<JsonRecord> {
  const scanner = new Scanner();
  for await (const chunk of chunks) yield* scanner.read(chunk);
  yield* scanner.end();
}

class Scanner {
  /** The opening brackets around the current place. */
  #open: string[] = [];
  #isString = false;
  #isEscaped = false;
  /** The last string outside records, which names the list that follows. */
  #name = '';
  /** The depth of the records of a list; null outside a list. */
  #listDepth: number | null = null;
  /** The pieces of the record that is read; null between records. */
  #pieces: string[] | null = null;
  #length = 0;
  /** The depth at which the record began. */
  #base = 0;
  #last = '';
  /** Where the rest of the record begins in the chunk. */
  #start = 0;

  *read(chunk: string): Generator<JsonRecord> {
    this.#start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const record = this.#step(chunk, at);
      if (record !== null) yield record;
    }
    if (this.#pieces !== null) this.#add(chunk.slice(this.#start));
  }

  /** Reads a character. Returns a record if it ends one, or breaks one off. */
  #step(chunk: string, at: number): JsonRecord | null {
    const sign = chunk.charAt(at);
    const isLineStart = this.#last === '\n';
    this.#last = sign;
    // No string of JSON holds a line end: an object that begins a line ends a broken line before it.
    const breaksOff = isLineStart && sign === '{' && this.#base === 0 && this.#pieces !== null;
    if (breaksOff) this.#reset();
    if (this.#isString) this.#readString(sign);
    else if (sign === '"') {
      this.#isString = true;
      this.#name = '';
    } else if (sign === '{' || sign === '[') this.#enter(sign, at);
    else if (sign === '}' || sign === ']') return this.#leave(chunk, at);
    return breaksOff ? { omission: 'unreadable' } : null;
  }

  #enter(sign: string, at: number): void {
    if (this.#beginsList(sign)) {
      this.#pieces = null;
      this.#listDepth = this.#open.length + 1;
    } else if (sign === '{' && this.#beginsRecord()) {
      this.#pieces = [];
      this.#length = 0;
      this.#base = this.#open.length;
      this.#start = at;
    }
    this.#open.push(sign);
  }

  #leave(chunk: string, at: number): JsonRecord | null {
    this.#open.pop();
    if (this.#listDepth !== null && this.#open.length < this.#listDepth) this.#listDepth = null;
    if (this.#pieces === null || this.#open.length > this.#base) return null;
    this.#add(chunk.slice(this.#start, at + 1));
    return this.#finish();
  }

  /** The rest of the file: a record that never ended. */
  *end(): Generator<JsonRecord> {
    if (this.#pieces !== null) yield { omission: 'unreadable' };
  }

  #readString(sign: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (sign === '\\') this.#isEscaped = true;
    else if (sign === '"') this.#isString = false;
    else if (this.#name.length < MAX_NAME) this.#name += sign;
  }

  #beginsList(sign: string): boolean {
    const depth = this.#open.length;
    if (sign !== '[' || this.#listDepth !== null) return false;
    if (depth === 0) return true;
    return (
      this.#base === 0 &&
      depth <= MAX_LIST_DEPTH &&
      LIST_NAMES.has(this.#name) &&
      !(depth === MAX_LIST_DEPTH && this.#name === 'data') &&
      this.#open.every((bracket) => bracket === '{')
    );
  }

  #beginsRecord(): boolean {
    return this.#pieces === null && this.#open.length === (this.#listDepth ?? 0);
  }

  #add(piece: string): void {
    this.#length += piece.length;
    if (this.#length > MAX_RECORD) this.#pieces = [];
    else this.#pieces?.push(piece);
  }

  #finish(): JsonRecord {
    const text = this.#pieces?.join('') ?? '';
    const isTooLarge = this.#length > MAX_RECORD;
    this.#pieces = null;
    this.#base = 0;
    if (isTooLarge) return { omission: 'too_large' };
    try {
      return { value: JSON.parse(text) };
    } catch (error) {
      if (error instanceof SyntaxError) return { omission: 'unreadable' };
      throw error;
    }
  }

  #reset(): void {
    this.#open = [];
    this.#isString = false;
    this.#isEscaped = false;
    this.#listDepth = null;
    this.#pieces = null;
  }
}
