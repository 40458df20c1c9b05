import type { components } from '../../../../api/api-types.ts';

type Draft = components['schemas']['InboxDraft'];
type DraftActions = NonNullable<Draft['actions']>;

/** A text of the composer with the actions of its snippets. */
export interface DraftText {
  readonly content: string;
  readonly actions: DraftActions;
}

/** `idle`: there is nothing to save. */
export type SaveState = 'idle' | 'changed' | 'saving' | 'saved' | 'failed';

/** The text from another device of the same person. */
interface OtherText extends DraftText {
  /** Null until the server has it. */
  readonly at: string | null;
}

interface DraftView extends DraftText {
  readonly state: SaveState;
  readonly other: OtherText | null;
}

interface TextToSave extends DraftText {
  /** The version on which it is based; null for none. */
  readonly base: string | null;
  /** The other text to keep beside it; absent: the one that is stored. */
  readonly other?: DraftText | null;
  /** The time at which the replaced other text was saved; null for any. */
  readonly otherSavedAt: string | null;
}

/** A text that may not have reached the server. */
export interface UnsavedText extends DraftText {
  readonly base: string | null;
}

/** The stored draft; null if the text was sent. `isSaved` is false if another device has saved a newer version. */
export type SavedText =
  | { readonly isSaved: true; readonly draft: Draft | null }
  | { readonly isSaved: false; readonly draft: Draft };

/** The draft of one kind, on the server and in this browser. */
export interface DraftStore {
  readonly save: (text: TextToSave) => Promise<SavedText>;
  /** Resolves with the newer draft, or null if it is deleted. */
  readonly remove: (base: string) => Promise<Draft | null>;
  /** Receives the draft after each save. */
  readonly onStored: (draft: Draft | null) => void;
  /** Reads the draft again. */
  readonly reread: () => void;
  readonly readUnsaved: () => UnsavedText | null;
  readonly keepUnsaved: (text: UnsavedText | null) => void;
}

const saveAfterMs = 1_000;
const retryAfterMs = 3_000;
const nothing: DraftText = { content: '', actions: {} };
const isEmpty = ({ content }: DraftText) => content.trim() === '';

/**
 * Stores a person's draft: in the browser at each key, on the server a moment later. A text from another device never
 * replaces the local one: it is offered beside it, and the server keeps both.
 */
export class DraftKeeper {
  readonly #store: DraftStore;
  readonly #listeners = new Set<() => void>();
  #text = nothing;
  #view: DraftView = { ...nothing, state: 'idle', other: null };
  /** The version on which the text is based, and its content. */
  #base: string | null = null;
  #known = '';
  #stored: Draft | null = null;
  /** The newest known version: answers may arrive late. */
  #newest = '';
  /** Whether another device has saved a newer version than the base. */
  #hasMoved = false;
  #isDirty = false;
  /** The text of the previous page, until the person changes it. */
  #left: DraftText | null = null;
  #state: SaveState = 'idle';
  /** The other text to keep, until the server has it. */
  #beside: DraftText | null | undefined;
  /** The time at which the other text on the server was saved, if it is a local one or was taken. */
  #otherAt: string | null = null;
  /** Texts whose saves had no answer. */
  readonly #unanswered = new Set<string>();
  #sent: DraftText | null = null;
  #saves = 0;
  #heardMeanwhile: (() => void) | null = null;
  #dismissed: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(store: DraftStore, isBeingSent: (content: string) => boolean = () => false) {
    this.#store = store;
    const unsaved = store.readUnsaved();
    if (unsaved === null || isBeingSent(unsaved.content.trim())) return;
    this.#text = { content: unsaved.content, actions: unsaved.actions };
    this.#left = this.#text;
    this.#base = unsaved.base;
    this.#isDirty = true;
    this.#later(0);
    this.#show('changed');
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  readonly view = () => this.#view;

  /** Whether the keeper can be dropped without loss. */
  get isSettled(): boolean {
    return !this.#isDirty && this.#saves === 0 && this.#listeners.size === 0;
  }

  write(change: Partial<DraftText>): void {
    this.#text = { ...this.#text, ...change };
    this.#touch();
    this.#later(saveAfterMs);
    this.#show('changed');
  }

  /** Applies the draft of the server. Texts that are being sent are no drafts any more. */
  observe(stored: Draft | null, isBeingSent: (content: string) => boolean): void {
    if (this.#saves > 0) {
      // The answer may be older than the text that is being saved.
      this.#heardMeanwhile = () =>
        stored === null ? this.#store.reread() : this.observe(stored, isBeingSent);
      return;
    }
    if (stored === null) this.#onGone();
    else this.#onStored(stored, isBeingSent);
    this.#show();
  }

  /** The draft was sent or emptied, here or elsewhere. The local text stays. */
  #onGone(): void {
    const isOwn = this.#isDirty || this.#text.content !== this.#known;
    const wasKept = this.#stored !== null;
    this.#continue(null);
    if (!isOwn) this.#text = nothing;
    else if (wasKept && !isEmpty(this.#text)) {
      this.#touch();
      this.#later(saveAfterMs);
    }
  }

  #onStored(stored: Draft, isBeingSent: (content: string) => boolean): void {
    const { content, actions, updated_at: at } = stored;
    if (at < this.#newest) return;
    if (at === this.#base || (at === this.#newest && this.#hasMoved)) {
      this.#stored = stored;
      return;
    }
    if (content === this.#text.content || this.#unanswered.has(content)) this.#continue(stored);
    else if (!this.#isDirty && this.#text.content === this.#known) {
      this.#continue(stored);
      this.#text = isBeingSent(content.trim()) ? nothing : { content, actions: actions ?? {} };
      this.#state = 'idle';
    } else this.#moveOn(stored);
  }

  #continue(stored: Draft | null): void {
    this.#stored = stored;
    this.#base = stored?.updated_at ?? null;
    this.#known = stored?.content ?? '';
    this.#otherAt = null;
    if (stored !== null) this.#newest = stored.updated_at;
    this.#hasMoved = false;
  }

  #moveOn(stored: Draft): void {
    this.#stored = stored;
    this.#newest = stored.updated_at;
    this.#hasMoved = true;
  }

  /** Puts the text of the other device into the field, and the local one beside it. */
  takeOther(): void {
    const { other } = this.#view;
    if (other === null) return;
    const own = this.#text;
    const before = this.#beside ?? nothing;
    this.#beside = isEmpty(own) ? null : { ...own, content: joined(own, before) };
    this.#replace({ content: other.content, actions: other.actions }, other.at);
  }

  /** Puts the text of the other device below the local one. */
  putBelow(): void {
    const { other } = this.#view;
    if (other === null) return;
    const actions = { ...other.actions, ...this.#text.actions };
    this.#beside = null;
    this.#replace({ content: joined(this.#text, other), actions }, other.at);
  }

  #replace(text: DraftText, takenAt: string | null): void {
    // If the other device’s text is the draft, the local one is the other text of the server.
    const otherAt = this.#hasMoved ? this.#otherAt : (takenAt ?? this.#otherAt);
    if (this.#hasMoved) this.#continue(this.#stored);
    this.#otherAt = otherAt;
    this.#text = text;
    this.#touch();
    this.#show('changed');
    this.#later(0);
  }

  /** Hides the other text until it changes. Nothing is deleted. */
  dismissOther(): void {
    this.#dismissed = this.#view.other?.content ?? null;
    this.#show();
  }

  /** Empties the field, because its text is sent. Resolves once no save is running. */
  take(): Promise<void> {
    const settled = this.flush();
    this.#sent = this.#text;
    this.#text = nothing;
    this.#beside = undefined;
    clearTimeout(this.#timer);
    this.#show('idle');
    return settled;
  }

  /** After the text was sent, the browser need not keep it. */
  forgetSent(content: string): void {
    if (this.#isDirty || this.#saves > 0) return;
    if (this.#store.readUnsaved()?.content.trim() === content) this.#store.keepUnsaved(null);
  }

  /** Saves unsaved text at once. */
  readonly flush = (): Promise<void> => {
    clearTimeout(this.#timer);
    if (!this.#isDirty) return this.#running;
    this.#isDirty = false;
    const text = this.#text;
    this.#saves += 1;
    this.#show('saving');
    // Saves run one after the other, because each is based on the version of the one before.
    this.#running = this.#running.then(() => this.#save(text));
    return this.#running;
  };

  async #save(text: DraftText): Promise<void> {
    const beside = this.#beside;
    try {
      await this.#request(text, beside);
      if (this.#saves === 1) this.#store.onStored(this.#stored);
      if (this.#beside === beside && !this.#hasMoved) this.#beside = undefined;
      if (!this.#isDirty) {
        this.#store.keepUnsaved(null);
        this.#state = isEmpty(this.#text) ? 'idle' : 'saved';
      }
    } catch {
      // The outbox handles a text that is being sent.
      if (this.#sent !== text) {
        this.#isDirty = true;
        this.#state = 'failed';
        this.#later(retryAfterMs);
      }
    }
    this.#saves -= 1;
    if (this.#saves === 0) {
      const heard = this.#heardMeanwhile;
      this.#heardMeanwhile = null;
      heard?.();
    }
    this.#show();
  }

  async #request(text: DraftText, beside: DraftText | null | undefined): Promise<void> {
    // Emptying the field keeps the other text.
    const saved = isEmpty(text) && beside ? beside : text;
    if (isEmpty(saved)) {
      const moved = this.#base === null ? null : await this.#store.remove(this.#base);
      if (moved === null) this.#continue(null);
      else this.#moveOn(moved);
      return;
    }
    this.#unanswered.add(saved.content);
    const { isSaved, draft } = await this.#store.save({
      ...saved,
      base: this.#base,
      otherSavedAt: this.#otherAt,
      ...(saved === text && beside !== undefined && { other: beside }),
    });
    const left = saved === text && beside ? `${saved.content}\n\n${beside.content}` : saved.content;
    const ownAt = draft?.other?.content === left ? draft.other.saved_at : null;
    if (draft === null && this.#text === this.#left) this.#text = nothing;
    if (isSaved) this.#continue(draft);
    else if (this.#unanswered.has(draft.content)) {
      // An earlier save of this page arrived, but its answer did not. The server has kept this text beside it.
      this.#continue(draft);
      this.#otherAt = ownAt;
      await this.#request(text, ownAt === null ? beside : (beside ?? null));
      return;
    } else {
      this.#moveOn(draft);
      this.#otherAt = ownAt;
    }
    this.#unanswered.clear();
  }

  #touch(): void {
    this.#isDirty = true;
    this.#store.keepUnsaved(isEmpty(this.#text) ? null : { ...this.#text, base: this.#base });
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.flush, ms);
  }

  #show(state: SaveState = this.#state): void {
    this.#state = state;
    this.#view = { ...this.#text, state, other: this.#findOther() };
    for (const listener of [...this.#listeners]) listener();
  }

  #findOther(): OtherText | null {
    const other = this.#findKept();
    const isSame = other === null || other.content.trim() === this.#text.content.trim();
    return isSame || other.content === this.#dismissed ? null : other;
  }

  #findKept(): OtherText | null {
    const stored = this.#stored;
    if (this.#hasMoved && stored !== null)
      return { content: stored.content, actions: stored.actions ?? {}, at: stored.updated_at };
    if (this.#beside !== undefined) return this.#beside && { ...this.#beside, at: null };
    const other = stored?.other ?? null;
    return other && { content: other.content, actions: other.actions ?? {}, at: other.saved_at };
  }
}

const joined = (first: DraftText, second: DraftText) =>
  [first.content.trimEnd(), second.content].filter((part) => part.trim() !== '').join('\n\n');
