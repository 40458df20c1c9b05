import type { EventEmitter } from 'node:events';

const closedReader: readonly unknown[] = ['EPIPE', 'ERR_STREAM_DESTROYED'];

/** A reader that has had enough (`| head`) is no error: what is written afterwards is lost, and the work goes on. */
export function tolerateClosedReader(stream: EventEmitter): void {
  stream.on('error', (error: Error) => {
    if (!('code' in error) || !closedReader.includes(error.code)) throw error;
  });
}
