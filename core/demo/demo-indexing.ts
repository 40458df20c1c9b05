const english = 'The help pages of this demo are still being read. Ask again in a moment.';
const others: Readonly<Record<string, string>> = {
  de: 'Die Hilfeseiten dieser Demo werden noch gelesen. Fragen Sie gleich noch einmal.',
};

/**
 * Whether the documents of the demo are still being indexed. Only the process that creates the demo knows: it takes requests
 * before that is done.
 */
export class DemoIndexing {
  #isRunning = false;
  #workspaceId: string | null = null;

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** The process calls it before it takes requests. */
  begin(): void {
    this.#isRunning = true;
  }

  /** Names the workspace of the demo, as soon as it is there. */
  name(workspaceId: string): void {
    this.#workspaceId = workspaceId;
  }

  end(): void {
    this.#isRunning = false;
  }

  /** Returns what a question to this workspace without an answer is told, or null if its documents can answer. */
  notice(workspaceId: string, language: string): string | null {
    if (!this.#isRunning || workspaceId !== this.#workspaceId) return null;
    return others[language] ?? english;
  }
}
