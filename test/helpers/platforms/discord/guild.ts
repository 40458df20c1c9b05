import type { DiscordWorld } from './world.ts';

const THREADS = [10, 11, 12];

/** The server of a world, as the gateway tells of it. */
export function guildOf(world: DiscordWorld, roles: readonly object[]): object {
  const rooms = [...world.rooms.values()].filter(({ guild_id }) => guild_id !== null);
  const isThread = ({ type }: { type: number }) => THREADS.includes(type);
  return {
    id: world.guildId,
    name: 'Garden club',
    owner_id: world.bot.id,
    roles,
    channels: rooms.filter((room) => !isThread(room)),
    threads: rooms.filter(isThread),
    emojis: [],
    members: [],
    member_count: 2,
    presences: [],
    voice_states: [],
    features: [],
    stage_instances: [],
    guild_scheduled_events: [],
    stickers: [],
    soundboard_sounds: [],
  };
}
