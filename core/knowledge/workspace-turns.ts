/**
 * Keeps documents of one workspace from filling all slots of a worker: as many of each as `most` run, the others stand in
 * a line of their workspace, in memory; after a crash their rows say that they are still to be done.
 */
export class WorkspaceTurns {
  readonly #most: number;
  readonly #running = new Map<string, number>();
  readonly #lines = new Map<string, Set<string>>();

  constructor(most: number) {
    this.#most = most;
  }

  /** True where the document may run now, and `leave` is to be called after it; otherwise it stands in the line. */
  enter(workspaceId: string, documentId: string): boolean {
    const running = this.#running.get(workspaceId) ?? 0;
    if (running < this.#most) {
      this.#running.set(workspaceId, running + 1);
      return true;
    }
    this.#lines.set(workspaceId, (this.#lines.get(workspaceId) ?? new Set()).add(documentId));
    return false;
  }

  /** The document whose turn has come; undefined where the workspace has none in its line. */
  leave(workspaceId: string): string | undefined {
    const running = (this.#running.get(workspaceId) ?? 1) - 1;
    if (running === 0) this.#running.delete(workspaceId);
    else this.#running.set(workspaceId, running);
    const line = this.#lines.get(workspaceId);
    const [next] = line ?? [];
    if (line === undefined || next === undefined) return undefined;
    line.delete(next);
    if (line.size === 0) this.#lines.delete(workspaceId);
    return next;
  }
}
