import { type DiscordStandIn, startDiscord } from '../../../helpers/platforms/discord/stand-in.ts';
import type { DiscordPerson, DiscordRoom } from '../../../helpers/platforms/discord/world.ts';
import type { ChatMessage, ChatPlatform } from './chat-platform.ts';

interface Visitor {
  readonly room: DiscordRoom;
  readonly person: DiscordPerson;
}

/** Discord with one bot over the gateway, and the messages it was told to send: a direct conversation for each chat. */
export interface DiscordPlatform extends ChatPlatform {
  readonly discord: DiscordStandIn;
  /** The session keeps a message until the bot receives it. */
  tell(message: Pick<ChatMessage, 'chat' | 'text'>): Promise<number>;
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
    // Nothing is posted, because the installation connects to the gateway.
    postTo: () => {},
    get sent() {
      const said = [...visitors].map(
        ([chat, { room }]) => [chat, discord.answers(room.id).map(({ content }) => content)] as const,
      );
      return new Map(said);
    },
    get typing() {
      const shown = [...visitors].flatMap(([chat, { room }]) => {
        const call = discord.calls.findLast(({ path }) => path === `/channels/${room.id}/typing`);
        return call === undefined ? [] : [[chat, call.at] as const];
      });
      return new Map(shown);
    },
    lostAnswers: () => discord.lostAnswers(),
    async tell({ chat, text }) {
      // Discord does not send messages from before the bot was there.
      await discord.gateway.until('identify', 1);
      const { room, person } = visitorOf(chat);
      discord.say(room, person, text);
      return 1;
    },
    close: () => discord.close(),
  };
}
