import type { EventEmitter } from 'node:events';
import type { DatabasePool } from './database.ts';

interface Hearing {
  /** Of the database: a plain word. */
  readonly channel: string;
  readonly hear: (payload: string) => void;
  /** The connection failed: nothing is heard any more. */
  readonly lost: () => void;
}

/** Hears what is notified over a connection of its own, until the returned function is called. */
export async function hearNotifications(
  pool: DatabasePool,
  { channel, hear, lost }: Hearing,
): Promise<() => void> {
  const client = await pool.connect();
  const events: EventEmitter = client;
  const heard = (told: { readonly channel: string; readonly payload?: string | undefined }) => {
    if (told.channel === channel) hear(told.payload ?? '');
  };
  const failed = () => {
    stop();
    lost();
  };
  const stop = () => {
    events.off('notification', heard);
    events.off('error', failed);
    events.off('end', failed);
    // The connection is not to be lent to others: it would go on listening for them.
    client.release(true);
  };
  events.on('notification', heard);
  events.on('error', failed);
  events.on('end', failed);
  try {
    await client.query(`listen ${channel}`);
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}
