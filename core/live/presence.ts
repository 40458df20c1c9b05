import { z } from 'zod';
import type { Clock, Wait } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Database } from '../storage/database.ts';
import { NotificationHub, type Notifications } from '../storage/notifications/notifications.ts';
import { AgentNews, type AgentNotice } from './agent-news.ts';

/** `left` ends it at once; otherwise it ends by itself. */
export const doingSchema = z.enum(['viewing', 'writing', 'left']);
type Doing = z.output<typeof doingSchema>;

export const presentPersonSchema = z.object({
  id: z.string(),
  name: z.string(),
  doing: doingSchema.exclude(['left']),
});

/** A person who has a conversation open. */
export type PresentPerson = Readonly<z.output<typeof presentPersonSchema>>;

const noticeSchema = presentPersonSchema.extend({ doing: doingSchema });

interface Dependencies {
  readonly agentNews: AgentNews;
  readonly clock: Clock;
}

interface Visit {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly person: { readonly id: string; readonly name: string };
  readonly doing: Doing;
}

/** Browsers refresh it every 20 seconds. */
const FORGOTTEN_MS = 45_000;
const SWEEP_MS = 5_000;
/** A notice has at most 8,000 bytes. */
const MAX_NAME_LENGTH = 80;
/** The maximum of one workspace. Beyond that, conversations show nobody. */
const MAX_CONVERSATIONS = 2_000;

type OnChange = (conversationId: string, people: readonly PresentPerson[]) => void;

/** The people of one workspace by conversation, and the streams that show them. */
interface Room {
  readonly people: Map<string, Map<string, PresentPerson & { readonly until: number }>>;
  readonly listeners: Set<OnChange>;
}

/**
 * Shows agents who else has a conversation open. Each process keeps it in memory for the workspaces that it streams;
 * a notice carries each change.
 */
export class Presence {
  readonly #dependencies: Dependencies;
  readonly #rooms = new Map<string, Room>();
  #sweeping: NodeJS.Timeout | undefined;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Notifies all processes that stream the workspace. */
  async tell({ workspaceId, conversationId, person, doing }: Visit): Promise<void> {
    const name = Array.from(person.name).slice(0, MAX_NAME_LENGTH).join('');
    const change = JSON.stringify({ id: person.id, name, doing });
    await this.#dependencies.agentNews.tell(workspaceId, { kind: 'presence', id: conversationId, change });
  }

  /**
   * Listens to the notices of a workspace, those of presence included. `onPeople` is called with everybody who has a
   * conversation open, now and after each change.
   */
  async listen(
    request: Parameters<AgentNews['listen']>[0],
    { onNotice, onPeople }: { onNotice: (notice: AgentNotice | null) => void; onPeople: OnChange },
  ): Promise<() => void> {
    const { workspaceId } = request;
    const room = this.#rooms.get(workspaceId) ?? { people: new Map(), listeners: new Set() };
    this.#rooms.set(workspaceId, room);
    room.listeners.add(onPeople);
    this.#sweeping ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
    const leave = () => {
      room.listeners.delete(onPeople);
      if (room.listeners.size === 0 && this.#rooms.get(workspaceId) === room) this.#rooms.delete(workspaceId);
      if (this.#rooms.size > 0) return;
      clearInterval(this.#sweeping);
      this.#sweeping = undefined;
    };
    try {
      const unlisten = await this.#dependencies.agentNews.listen(request, (notice) => {
        if (notice?.kind === 'presence') this.#receive(room, notice);
        else onNotice(notice);
      });
      return () => {
        unlisten();
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Everybody who has a conversation of the workspace open, as far as this process knows. */
  people(workspaceId: string): readonly (readonly [string, readonly PresentPerson[]])[] {
    const room = this.#rooms.get(workspaceId);
    return [...(room?.people ?? [])].map(([id, people]) => [id, present(people.values())] as const);
  }

  close(): void {
    clearInterval(this.#sweeping);
  }

  /** Each stream of the workspace passes the notice on; the second time it changes nothing. */
  #receive(room: Room, { id, change }: AgentNotice): void {
    const visit = noticeSchema.safeParse(parseJson(change));
    if (!visit.success) return;
    const { doing, ...person } = visit.data;
    const people = room.people.get(id) ?? new Map();
    const before = people.get(person.id);
    if (doing === 'left') people.delete(person.id);
    else if (before !== undefined || room.people.size < MAX_CONVERSATIONS) {
      const until = this.#dependencies.clock.now().getTime() + FORGOTTEN_MS;
      people.set(person.id, { ...person, doing, until });
    }
    if (people.size === 0) room.people.delete(id);
    else room.people.set(id, people);
    const after = people.get(person.id);
    if (before?.doing !== after?.doing || before?.name !== after?.name) tellRoom(room, id);
  }

  #sweep(): void {
    const now = this.#dependencies.clock.now().getTime();
    for (const room of this.#rooms.values()) {
      for (const [id, people] of room.people) {
        const size = people.size;
        for (const [personId, { until }] of people) if (until < now) people.delete(personId);
        if (people.size === 0) room.people.delete(id);
        if (people.size < size) tellRoom(room, id);
      }
    }
  }
}

function tellRoom(room: Room, conversationId: string): void {
  const people = present(room.people.get(conversationId)?.values() ?? []);
  for (const onChange of [...room.listeners]) onChange(conversationId, people);
}

function present(people: Iterable<PresentPerson>): readonly PresentPerson[] {
  return [...people].map(({ id, name, doing }) => ({ id, name, doing }));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The services that notify open pages of visitors and agents. */
export interface LiveServices {
  readonly notificationHub: NotificationHub;
  /**
   * News under a visitor's id: an agent replied, or the conversation's status changed. `typing NAME` if an agent
   * writes.
   */
  readonly visitorNews: Notifications;
  readonly agentNews: AgentNews;
  readonly presence: Presence;
}

interface LiveDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly wait: Wait;
  readonly log: Logger;
  readonly processId: string;
}

export function openLive(dependencies: LiveDependencies): LiveServices & { close: () => Promise<void> } {
  const notificationHub = new NotificationHub(dependencies);
  const visitorNews = notificationHub.channel('visitor_news');
  const agentNews = new AgentNews({ ...dependencies, notifications: notificationHub.channel('agent_news') });
  const presence = new Presence({ agentNews, clock: dependencies.clock });
  return {
    notificationHub,
    visitorNews,
    agentNews,
    presence,
    close: async () => {
      presence.close();
      await agentNews.close();
      notificationHub.close();
    },
  };
}
