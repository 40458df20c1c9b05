import type { Heard } from './channel-demo.ts';

const SOURCE = /^(?:🔗|📄) /u;

/** Who was shown what, by the number of his chat. */
export class HeardBook {
  readonly #heard = new Map<number, Heard[]>();

  of(chat: number): readonly Heard[] {
    return this.#heard.get(chat) ?? [];
  }

  typing(chat: number): void {
    this.#add(chat, { kind: 'typing', text: '', sources: [] });
  }

  answer(chat: number, html: string): void {
    const lines = html
      .replaceAll(/<br>|<\/p>/g, '\n')
      .replaceAll(/<[^>]*>/g, '')
      .split('\n')
      .filter((line) => line.trim() !== '');
    const sources = lines.filter((line) => SOURCE.test(line)).map((line) => line.replace(SOURCE, ''));
    const text = lines.filter((line) => !SOURCE.test(line)).join(' ');
    this.#add(chat, { kind: 'answer', text, sources });
  }

  #add(chat: number, heard: Omit<Heard, 'atMs'>): void {
    this.#heard.set(chat, [...this.of(chat), { ...heard, atMs: performance.now() }]);
  }
}
