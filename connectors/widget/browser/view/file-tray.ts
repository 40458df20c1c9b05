import { ApiError } from '../conversation/api.ts';
import type { Look, SentFile } from '../types.ts';
import { formatSize, formatText, h, icon, icons } from './dom.ts';

interface TrayActions {
  readonly uploadFile: (file: File) => Promise<SentFile>;
  readonly deleteFile: (file: SentFile) => Promise<unknown>;
  /** Called when a file is added, uploaded or removed. */
  readonly changed: () => void;
  /** Shows an error; null hides it. */
  readonly showError: (text: string | null) => void;
  readonly announce: (text: string) => void;
  /** Focuses the input. */
  readonly focus: () => void;
}

interface Chosen {
  readonly element: HTMLElement;
  /** Null while the file is uploading. */
  sent: SentFile | null;
}

const megabyte = 2 ** 20;

/** The files of the next message. They are uploaded when they are chosen, so that errors show immediately. */
export class FileTray {
  readonly element = h('ul', { class: 'tray', hidden: true });
  readonly button: HTMLButtonElement;
  readonly picker: HTMLInputElement;
  readonly #look: Look;
  readonly #actions: TrayActions;
  readonly #chosen = new Set<Chosen>();
  /** Errors since files were last added. */
  readonly #errors: string[] = [];

  constructor(look: Look, actions: TrayActions) {
    this.#look = look;
    this.#actions = actions;
    const { texts, attachments } = look;
    this.picker = h('input', {
      type: 'file',
      multiple: true,
      hidden: true,
      accept: attachments?.types.join(),
      onchange: () => {
        this.add(this.picker.files ?? []);
        this.picker.value = '';
        actions.focus();
      },
    });
    this.button = h(
      'button',
      {
        type: 'button',
        class: 'attach',
        'aria-label': texts.attach,
        title: texts.attach,
        hidden: attachments === null,
        onclick: () => this.picker.click(),
      },
      icon(...icons.clip),
    );
  }

  /** Whether there are files and all of them are uploaded. */
  get isReady(): boolean {
    return this.#chosen.size > 0 && !this.isBusy;
  }

  get isBusy(): boolean {
    return [...this.#chosen].some(({ sent }) => sent === null);
  }

  /** Whether a drop or a paste contains files that can be sent. */
  wants(transfer: DataTransfer | null): transfer is DataTransfer {
    return this.#look.attachments !== null && transfer?.types.includes('Files') === true;
  }

  add(files: Iterable<File>): void {
    const { texts, attachments } = this.#look;
    if (attachments === null) return;
    const { max_bytes: maxBytes, max_files: maxFiles } = attachments;
    if (this.#errors.length > 0) this.#actions.showError(null);
    this.#errors.length = 0;
    const excess: string[] = [];
    for (const file of files) {
      if (file.size > maxBytes) this.#showError(this.#tooLarge(file));
      else if (this.#chosen.size >= maxFiles) excess.push(file.name);
      else void this.#uploadFile(file);
    }
    if (excess.length > 0)
      this.#showError(`${excess.join(', ')}: ${formatText(texts.tooMany, { count: maxFiles })}`);
  }

  /** Returns the uploaded files and empties the tray. */
  take(): SentFile[] {
    const files = [...this.#chosen].flatMap(({ sent }) => (sent === null ? [] : [sent]));
    this.clear();
    return files;
  }

  clear(): void {
    this.#chosen.clear();
    this.element.replaceChildren();
    this.#update();
  }

  async #uploadFile(file: File): Promise<void> {
    const { texts } = this.#look;
    const { announce, uploadFile } = this.#actions;
    const chosen = this.#show(file);
    try {
      chosen.sent = await uploadFile(file);
      chosen.element.classList.remove('busy');
      if (this.#chosen.has(chosen)) announce(formatText(texts.attached, file));
      else this.#deleteFile(chosen);
    } catch (error) {
      const isThere = this.#chosen.has(chosen);
      this.#remove(chosen);
      if (isThere) this.#showError(this.#errorText(error, file));
    }
    this.#update();
  }

  #showError(text: string): void {
    this.#errors.push(text);
    this.#actions.showError(this.#errors.join('\n'));
  }

  #show(file: File): Chosen {
    const { texts } = this.#look;
    const label = formatText(texts.detach, file);
    const remove = () => {
      this.#remove(chosen);
      this.#deleteFile(chosen);
      this.#actions.focus();
    };
    const element = h(
      'li',
      { class: 'busy' },
      icon(...icons.file),
      h('span', { class: 'name', dir: 'auto' }, file.name),
      h('span', { class: 'size' }, formatSize(this.#look.language, file.size)),
      h(
        'button',
        { type: 'button', 'aria-label': label, title: label, onclick: remove },
        icon(...icons.close),
      ),
    );
    const chosen: Chosen = { element, sent: null };
    this.#chosen.add(chosen);
    this.element.append(element);
    this.#update();
    return chosen;
  }

  #remove(chosen: Chosen): void {
    this.#chosen.delete(chosen);
    chosen.element.remove();
    this.#update();
  }

  /** If the request fails, the server deletes the file after a day. */
  #deleteFile({ sent }: Chosen): void {
    if (sent !== null) void this.#actions.deleteFile(sent).catch(() => undefined);
  }

  #update(): void {
    this.element.hidden = this.#chosen.size === 0;
    this.#actions.changed();
  }

  #errorText(error: unknown, file: File): string {
    const { texts } = this.#look;
    const code = error instanceof ApiError ? error.code : 'unknown';
    if (code === 'payload_too_large') return this.#tooLarge(file);
    if (code === 'unsupported_media_type' || code === 'invalid_file')
      return formatText(texts.wrongKind, file);
    return formatText(texts.notAttached, file);
  }

  #tooLarge({ name }: File): string {
    const { texts, attachments } = this.#look;
    return formatText(texts.tooLarge, { name, count: Math.floor((attachments?.max_bytes ?? 0) / megabyte) });
  }
}
