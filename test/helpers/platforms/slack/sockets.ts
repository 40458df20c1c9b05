import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';

const acknowledged = z.object({ envelope_id: z.string() });

/** Slack's side of socket mode: each event goes to one of the sockets, until it is acknowledged. */
export function slackSockets(server: Server) {
  const sockets = new WebSocketServer({ server, path: '/link/' });
  const open: WebSocket[] = [];
  const waiting = new Map<string, { readonly resolve: () => void }>();
  const acks: string[] = [];
  let changed = Promise.withResolvers<void>();
  let envelopes = 0;

  const wake = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  sockets.on('connection', (socket) => {
    open.push(socket);
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: open.length,
        connection_info: { app_id: 'A0PARLEY1' },
      }),
    );
    socket.on('message', (data) => {
      const { envelope_id } = acknowledged.parse(JSON.parse(data.toString()));
      acks.push(envelope_id);
      waiting.get(envelope_id)?.resolve();
      wake();
    });
    socket.on('close', () => {
      open.splice(open.indexOf(socket), 1);
      wake();
    });
    wake();
  });

  return {
    /** The acknowledged envelopes, in the order of their acknowledgement. */
    acks,
    connections: () => open.length,
    async until(holds: () => boolean): Promise<void> {
      while (!holds()) await changed.promise;
    },
    /** Sends an event to the newest socket and returns the id of the envelope. Resolves when it is acknowledged. */
    tell(type: 'events_api' | 'interactive' | 'slash_commands', payload: unknown, retry = 0) {
      envelopes += 1;
      const envelope_id = `envelope-${envelopes}`;
      const done = Promise.withResolvers<void>();
      waiting.set(envelope_id, done);
      const retried = retry === 0 ? {} : { retry_attempt: retry, retry_reason: 'timeout' };
      open.at(-1)?.send(
        JSON.stringify({
          type,
          envelope_id,
          payload,
          accepts_response_payload: type !== 'events_api',
          ...retried,
        }),
      );
      return { envelope_id, acknowledged: done.promise };
    },
    ping: () => open.at(-1)?.ping(),
    send: (text: string) => open.at(-1)?.send(text),
    /** Announces that the oldest socket is about to be closed. */
    warn: () =>
      open[0]?.send(
        JSON.stringify({ type: 'disconnect', reason: 'refresh_requested', debug_info: { host: 'x' } }),
      ),
    drop: () => open[0]?.terminate(),
    close() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
}
