import { describe, expect, test } from 'vitest';
import { shelfKind } from '../../../../server/docs/examples/source-shelf/shelf.ts';
import { ToolBench, type ToolCall, type ToolStandIn } from '../../../helpers/sources/tools/tool-bench.ts';

/** Shelf's API in memory: two pages of a list, and the pages. */
class ShelfStandIn implements ToolStandIn {
  readonly origin = 'https://api.shelf.example';
  readonly pages = new Map(['1', '2', '3'].map((id) => [id, this.#page(id)]));

  set(id: string, change: object): void {
    this.pages.set(id, { ...this.#page(id), ...change });
  }

  respond({ path, query }: ToolCall) {
    if (path[1] === 'shelves') {
      const [ids, after] = [[...this.pages.keys()], Number(query.get('after') ?? 0)];
      const pages = ids.slice(after, after + 2).map((id) => this.pages.get(id));
      return { json: { pages, next: after + 2 < ids.length ? String(after + 2) : null } };
    }
    const page = this.pages.get(path.at(-1) ?? '');
    return page === undefined ? { status: 404 } : { json: page };
  }

  #page(id: string) {
    const url = `https://shelf.example/${id}`;
    return { id, title: `Page ${id}`, url, changed_at: '2026-01-01T00:00:00Z', html: `<p>Text ${id}</p>` };
  }
}

function open() {
  const shelf = new ShelfStandIn();
  const values = { settings: { shelf: 'help' }, credentials: { api_token: 'right-token' } };
  return { shelf, bench: new ToolBench(shelfKind, values, shelf) };
}

describe('the pages of Shelf', () => {
  test('are listed page by page and read with their address', async () => {
    const { bench } = open();
    expect(await bench.list()).toMatchObject({ keys: ['1', '2', '3'], pages: 2 });
    expect(await bench.content('3')).toMatchObject({
      ...{ text: '<p>Text 3</p>', title: 'Page 3', url: 'https://shelf.example/3' },
    });
  });

  test('are read again only after a change, and are missing from the list after a deletion', async () => {
    const { bench, shelf } = open();
    expect(await bench.run()).toEqual({ 1: 'content', 2: 'content', 3: 'content' });
    shelf.set('2', { changed_at: '2026-02-01T00:00:00Z' });
    shelf.pages.delete('3');
    expect(await bench.run()).toEqual({ 1: 'same', 2: 'content', 3: 'missing' });
  });

  test('without text are left out, and those that vanish meanwhile are gone', async () => {
    const { bench, shelf } = open();
    shelf.set('1', { html: ' ' });
    expect(await bench.read('1')).toMatchObject({ kind: 'skipped', code: 'empty' });
    expect(await bench.read('99')).toEqual({ kind: 'gone' });
  });
});
