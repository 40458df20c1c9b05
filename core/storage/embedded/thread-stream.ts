import { Duplex } from 'node:stream';

interface WrittenChunk {
  readonly chunk: Buffer;
}

/**
 * What the pg driver takes for its socket: everything that it writes at once is sent as one message, so that one
 * statement is one round trip to the database thread.
 */
export class ThreadStream extends Duplex {
  readonly #send: (bytes: Uint8Array<ArrayBuffer>) => void;

  constructor(send: (bytes: Uint8Array<ArrayBuffer>) => void) {
    super();
    this.#send = send;
  }

  /** Bytes that the thread answered. */
  receive(bytes: Uint8Array<ArrayBuffer>): void {
    this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  /** What the driver asks of a socket beside bytes means nothing here. */
  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    // The thread answers when it has something.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#send(Uint8Array.from(chunk));
    done();
  }

  override _writev(chunks: WrittenChunk[], done: () => void): void {
    this.#send(Uint8Array.from(Buffer.concat(chunks.map(({ chunk }) => chunk))));
    done();
  }
}
