import type { DiscordStandIn } from '../../helpers/platforms/discord/stand-in.ts';

/** A way in which a connection to the gateway ends. */
export interface Fault {
  readonly name: string;
  happen(discord: DiscordStandIn): void;
}

export const faults: readonly Fault[] = [
  { name: 'gateway cut', happen: ({ gateway }) => gateway.cut() },
  {
    name: 'gateway cut, HELLO withheld',
    happen({ gateway }) {
      gateway.withheldHellos = 1;
      gateway.cut();
    },
  },
  { name: 'op 7', happen: ({ gateway }) => gateway.say(7) },
  { name: 'op 9, resumable', happen: ({ gateway }) => gateway.say(9, true) },
  { name: 'op 9, not resumable', happen: ({ gateway }) => gateway.say(9, false) },
  {
    name: 'cut, and the session forgotten',
    happen({ gateway }) {
      gateway.forget();
      gateway.cut();
    },
  },
  {
    name: 'heartbeats not answered',
    happen({ gateway }) {
      gateway.isDead = true;
      void gateway.until('resume', gateway.count('resume') + 1).then(() => {
        // The gateway works again for the next connection.
        gateway.isDead = false;
        gateway.cut();
      });
    },
  },
];
