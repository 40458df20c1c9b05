import { type DiscordStandIn, startDiscord } from '../../helpers/discord-stand-in.ts';
import type { DiscordPerson, DiscordRoom } from '../../helpers/discord-world.ts';

interface Visitor {
  readonly room: DiscordRoom;
  readonly person: DiscordPerson;
}

/** Discord with one bot over the gateway, and what it was told to send: a direct conversation for each chat. */
export interface DiscordPlatform {
  readonly discord: DiscordStandIn;
  /** What a channel of it is made with. */
  readonly channel: {
    readonly channel: string;
    readonly credentials: Readonly<Record<string, string>>;
    readonly settings: Readonly<Record<string, unknown>>;
  };
  /** Nothing is posted: the installation comes for it. */
  postTo(webhookUrl: string): void;
  /** What was sent, by chat, in the order in which it came. */
  readonly sent: ReadonlyMap<number, readonly string[]>;
  /** Sends whose answer was lost with the process that had asked. */
  lostAnswers(): number;
  /** Tells of a message: the session keeps it until it was heard. */
  tell(message: { readonly chat: number; readonly text: string }): Promise<number>;
  close(): void;
}

export async function startDiscordPlatform(
  options: Parameters<typeof startDiscord>[0] = {},
): Promise<DiscordPlatform> {
  const discord = await startDiscord(options);
  const { application, token } = discord.world;
  const visitors = new Map<number, Visitor>();
  const visitorOf = (chat: number): Visitor => {
    const known = visitors.get(chat);
    if (known !== undefined) return known;
    const visitor = { room: discord.direct(), person: discord.world.newPerson(`Visitor${chat}`) };
    visitors.set(chat, visitor);
    return visitor;
  };
  return {
    discord,
    channel: {
      channel: 'discord',
      credentials: {
        bot_token: token,
        application_id: application.id,
        public_key: application.verify_key,
      },
      settings: { mode: 'gateway', api_base_url: discord.url },
    },
    postTo: () => {},
    get sent() {
      const said = [...visitors].map(
        ([chat, { room }]) => [chat, discord.answers(room.id).map(({ content }) => content)] as const,
      );
      return new Map(said);
    },
    lostAnswers: () => discord.lostAnswers(),
    async tell({ chat, text }) {
      const { room, person } = visitorOf(chat);
      discord.say(room, person, text);
      return 1;
    },
    close: () => discord.close(),
  };
}
