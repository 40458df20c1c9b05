import type { RawData, WebSocket } from 'ws';
import type { PlatformSocket } from '../../core/contract/socket-intake.ts';

/** Binary messages are none that a platform sends; more than that unread on its side is a platform that does not read. */
const unsupportedData = 1003;
const tooFar = 1_008;
const mostUnread = 2 ** 20;

/** A socket as connectors know it: what comes before somebody listens is kept for him. */
export function platformSocket(socket: WebSocket): PlatformSocket {
  const early: string[] = [];
  let hear = (text: string): void => void early.push(text);
  socket.on('message', (data: RawData, isBinary) => {
    if (isBinary) socket.close(unsupportedData, 'text only');
    else hear(data.toString());
  });
  return {
    send(text) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > mostUnread) socket.close(tooFar, 'nothing is read');
      else socket.send(text);
    },
    close: (code, because) => socket.close(code, because),
    onMessage(listener) {
      hear = listener;
      for (const text of early.splice(0)) listener(text);
    },
    onClose(listener) {
      if (socket.readyState === socket.CLOSED) listener();
      else socket.once('close', () => listener());
    },
  };
}
