import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  DraftKeeper,
  type DraftStore,
  type SavedText,
  type UnsavedText,
} from '../../../../../../server/dashboard/browser/screens/inbox/composer/drafts/draft-keeper.ts';

type Draft = NonNullable<Awaited<ReturnType<DraftStore['save']>>['draft']>;
type Other = NonNullable<Draft['other']>;
type Saved = Parameters<DraftStore['save']>[0];

/** A server with one draft, as `core/conversations/drafts.ts` keeps it. */
class Server {
  draft: Draft | null = null;
  /** The text that was sent. */
  sent: string | null = null;
  isDown = false;
  losesAnswers = false;
  #version = 0;

  save({ content, actions, base, other, otherSavedAt }: Saved): SavedText {
    if (content === this.sent) return { isSaved: true, draft: null };
    const at = this.draft?.updated_at ?? null;
    const before = this.draft?.other ?? null;
    const merge = (text: Omit<Other, 'saved_at'> | null, isReplacing: boolean): Other | null => {
      const isSeen = before === null || before.saved_at === otherSavedAt || isReplacing;
      if (isSeen || `${content} ${text?.content}`.includes(before.content)) {
        return text && { ...text, saved_at: this.#now() };
      }
      const joined = [text?.content, before.content].filter((each) => each !== undefined).join('\n\n');
      return { ...before, content: joined, saved_at: this.#now() };
    };
    if (this.draft !== null && at !== base && this.draft.content !== content) {
      const left = { content: other ? `${content}\n\n${other.content}` : content, actions };
      this.draft = { ...this.draft, other: merge(left, false) };
      return { isSaved: false, draft: this.draft };
    }
    const beside = other === undefined ? before : merge(other, otherSavedAt === null);
    this.draft = { kind: 'reply', content, actions, updated_at: this.#now(), other: beside };
    return { isSaved: true, draft: this.draft };
  }

  remove(base: string): Draft | null {
    if (this.draft === null || this.draft.updated_at === base) this.draft = null;
    return this.draft;
  }

  #now(): string {
    this.#version += 1;
    return new Date(this.#version).toISOString();
  }

  answer<Answer>(work: () => Answer): Promise<Answer> {
    if (this.isDown) return Promise.reject(new TypeError('Failed to fetch'));
    const answer = work();
    return this.losesAnswers ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(answer);
  }
}

function openDevice(
  server: Server,
  unsaved: { text: UnsavedText | null } = { text: null },
  sending: readonly string[] = [],
) {
  const keeper = new DraftKeeper(
    {
      save: (text) => server.answer(() => server.save(text)),
      remove: (base) => server.answer(() => server.remove(base)),
      onStored: () => {},
      reread: () => {},
      readUnsaved: () => unsaved.text,
      keepUnsaved: (text) => {
        unsaved.text = text;
      },
    },
    (content) => sending.includes(content),
  );
  const look = (leaving: readonly string[] = []) =>
    keeper.observe(server.draft, (content) => leaving.includes(content));
  look(sending);
  const write = async (content: string) => {
    keeper.write({ content });
    await keeper.flush();
  };
  const shown = () => [keeper.view().content, keeper.view().other?.content ?? null];
  return { keeper, unsaved, look, write, shown };
}

describe('a draft on two devices', () => {
  let server = new Server();
  beforeEach(() => {
    server = new Server();
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  test('shows the newer text where nothing of one’s own is written', async () => {
    const [laptop, phone] = [openDevice(server), openDevice(server)];
    await laptop.write('Hi Jo');
    phone.look();
    expect(phone.shown()).toEqual(['Hi Jo', null]);
    await phone.write('Hi Jo, mint');
    laptop.look();
    expect(laptop.shown()).toEqual(['Hi Jo, mint', null]);
  });

  test('offers each device the text of the other, and a new page shows both', async () => {
    const [laptop, phone] = [openDevice(server), openDevice(server)];
    await laptop.write('Mint');
    await phone.write('Basil');
    laptop.look();
    expect(phone.shown()).toEqual(['Basil', 'Mint']);
    expect(laptop.shown()).toEqual(['Mint', 'Basil']);
    await phone.write('Basil or mint');
    laptop.look();
    expect(laptop.shown()).toEqual(['Mint', 'Basil or mint']);
    expect(openDevice(server).shown()).toEqual(['Mint', 'Basil or mint']);
  });

  test.each(['laptop', 'phone'] as const)(
    'lets the %s take the other text and keeps its own',
    async (which) => {
      const devices = { laptop: openDevice(server), phone: openDevice(server) };
      await devices.laptop.write('Mint');
      await devices.phone.write('Basil');
      devices.laptop.look();
      const before = devices[which].shown();
      devices[which].keeper.takeOther();
      await devices[which].keeper.flush();
      expect(devices[which].shown()).toEqual(before.toReversed());
      expect(openDevice(server).shown()).toEqual(before.toReversed());
      devices[which].keeper.takeOther();
      await devices[which].keeper.flush();
      expect(openDevice(server).shown()).toEqual(before);
    },
  );

  test('loses nothing when the other device saves while its text is taken', async () => {
    const [laptop, phone] = [openDevice(server), openDevice(server)];
    await laptop.write('Mint');
    await phone.write('Basil');
    await laptop.write('Mint and thyme');
    phone.keeper.takeOther();
    await phone.keeper.flush();
    const kept = `${server.draft?.content} ${server.draft?.other?.content}`;
    expect(kept).toContain('Mint and thyme');
    expect(kept).toContain('Basil');
  });

  test('keeps what was written before a reload below what a third page writes', async () => {
    const [laptop, phone] = [openDevice(server), openDevice(server)];
    await laptop.write('Mint');
    await phone.write('Basil');
    await phone.write('Basil tea');
    const reloaded = openDevice(server);
    await reloaded.write('Mint and thyme');
    laptop.keeper.write({ content: 'Mint and sage' });
    await laptop.keeper.flush();
    const kept = `${server.draft?.content} ${server.draft?.other?.content}`;
    for (const text of ['Mint and thyme', 'Mint and sage', 'Basil tea']) expect(kept).toContain(text);
  });

  test('a text that is taken keeps what its device has written since', async () => {
    const [laptop, phone] = [openDevice(server), openDevice(server)];
    await laptop.write('Mint');
    await phone.write('Basil');
    laptop.look();
    await phone.write('Basil and thyme');
    await phone.write('Basil and thyme tea');
    laptop.keeper.takeOther();
    await laptop.keeper.flush();
    expect(laptop.shown()[0]).toBe('Basil');
    expect(server.draft?.other?.content).toBe('Mint\n\nBasil and thyme tea');
  });

  test('puts the other text below, and then there is one', async () => {
    const [laptop, phone] = [openDevice(server), openDevice(server)];
    await laptop.write('Mint');
    await phone.write('Basil');
    phone.keeper.putBelow();
    await phone.keeper.flush();
    expect(openDevice(server).shown()).toEqual(['Basil\n\nMint', null]);
  });

  test('a hidden text stays on the server and shows again once it changes', async () => {
    const [laptop, phone] = [openDevice(server), openDevice(server)];
    await laptop.write('Mint');
    await phone.write('Basil');
    phone.keeper.dismissOther();
    expect(phone.shown()).toEqual(['Basil', null]);
    await laptop.write('Mint tea');
    phone.look();
    expect(phone.shown()).toEqual(['Basil', 'Mint tea']);
  });

  test('a text that was sent before its page was lost leaves the field of the next page', async () => {
    const unsaved = { text: { content: 'Mint', actions: {}, base: null } };
    server.sent = 'Mint';
    const next = openDevice(server, unsaved);
    await next.keeper.flush();
    expect(next.keeper.view()).toMatchObject({ content: '', state: 'idle' });
    expect(unsaved.text).toBeNull();
  });

  test('a text stays in the field while somebody writes what was sent a moment ago', async () => {
    server.sent = 'Mint';
    const laptop = openDevice(server);
    await laptop.write('Mint');
    expect(laptop.shown()).toEqual(['Mint', null]);
    await laptop.write('Mint tea');
    expect(server.draft?.content).toBe('Mint tea');
  });

  test('one’s own text stays when the other device sends its own', async () => {
    const [laptop, phone] = [openDevice(server), openDevice(server)];
    await laptop.write('Mint');
    await phone.write('Basil');
    await laptop.keeper.take();
    server.draft = null;
    laptop.look();
    phone.look();
    expect(laptop.shown()).toEqual(['', null]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(phone.shown()).toEqual(['Basil', null]);
    expect(server.draft).toMatchObject({ content: 'Basil' });
  });

  test('an untouched text goes with the other device’s reply, and one that is being sent does not come back', async () => {
    const [laptop, phone] = [openDevice(server), openDevice(server)];
    await laptop.write('Mint');
    phone.look();
    await laptop.keeper.take();
    const again = openDevice(server);
    expect(again.shown()).toEqual(['Mint', null]);
    const returned = openDevice(new Server());
    returned.keeper.observe(server.draft, (content) => content === 'Mint');
    expect(returned.shown()).toEqual(['', null]);
    server.draft = null;
    phone.look();
    expect(phone.shown()).toEqual(['', null]);
  });

  test('is in the browser while the server is away, and continues after a reload', async () => {
    const laptop = openDevice(server);
    await laptop.write('Mint');
    server.isDown = true;
    await laptop.write('Mint and thyme');
    expect(laptop.keeper.view().state).toBe('failed');
    server.isDown = false;
    const reloaded = openDevice(server, laptop.unsaved);
    expect(reloaded.shown()).toEqual(['Mint and thyme', null]);
    await vi.advanceTimersByTimeAsync(0);
    expect(server.draft).toMatchObject({ content: 'Mint and thyme', other: null });
    expect(laptop.unsaved.text).toBeNull();
  });

  test('is not in the field of the next page while it is being sent, and is forgotten once it was', async () => {
    const laptop = openDevice(server);
    server.losesAnswers = true;
    laptop.keeper.write({ content: 'Mint' });
    await laptop.keeper.take();
    server.losesAnswers = false;
    expect(laptop.unsaved.text).toMatchObject({ content: 'Mint' });
    const next = openDevice(server, laptop.unsaved, ['Mint']);
    expect(next.shown()).toEqual(['', null]);
    server.draft = null;
    next.look();
    next.keeper.forgetSent('Mint');
    expect(next.unsaved.text).toBeNull();
    expect(openDevice(server, laptop.unsaved).shown()).toEqual(['', null]);
  });

  test('is offered no text of its own when only the answer to a save was lost', async () => {
    const laptop = openDevice(server);
    server.losesAnswers = true;
    await laptop.write('Mint');
    server.losesAnswers = false;
    await laptop.write('Mint and thyme');
    expect(laptop.shown()).toEqual(['Mint and thyme', null]);
    expect(server.draft).toMatchObject({ content: 'Mint and thyme', other: null });
  });

  test('an answer from before the last save changes nothing', async () => {
    const laptop = openDevice(server);
    await laptop.write('Mint');
    const old = server.draft;
    await laptop.write('Mint and thyme');
    laptop.keeper.observe(old, () => false);
    expect(laptop.shown()).toEqual(['Mint and thyme', null]);
  });
});
