import type { Runtime } from '../runtime.ts';

type Dependencies = Pick<Runtime, 'channelAccounts' | 'clock' | 'log'>;

/** Keeps that a platform was heard of. Nobody waits for that, and what fails of it is made good by the next time. */
export function noteHeard({ channelAccounts, clock, log }: Dependencies, channelId: string): void {
  channelAccounts.heard(channelId, clock.now()).catch((err: unknown) => {
    log.warn({ err, channel: channelId }, 'that a platform was heard of could not be stored');
  });
}
