import { notionKind } from '../../../../core/sources/tools/notion/notion.ts';
import { type BlockInput, NotionStandIn, rich, text } from '../tools/notion.ts';
import { ToolBench } from '../tools/tool-bench.ts';
import { FileHost, type WalkedTool } from './tool-world.ts';
import { ticker } from './worlds.ts';

export const notion: WalkedTool = {
  name: 'Notion',
  open(wrap, token = 'right') {
    const tool = new NotionStandIn();
    const host = new FileHost('https://prod-files-secure.s3.us-west-2.amazonaws.com');
    const elsewhere = new FileHost('https://files.example');
    elsewhere.add('/terms.pdf', {
      name: 'terms.pdf',
      type: 'application/pdf',
      bytes: Buffer.from('The terms.'),
    });
    const now = ticker();
    const credentials = { token: `${token}-token` };
    const id = (number: number) => `page-${number}`;
    const blocksOf = (number: number): readonly BlockInput[] => tool.pages.get(id(number))?.blocks ?? [];
    return {
      bench: new ToolBench(wrap(notionKind), { settings: {}, credentials }, tool, host, elsewhere),
      ...{ secret: 'right-token', origins: [tool.origin] },
      put(number, words) {
        tool.set(id(number), { blocks: [text('paragraph', words)], edited: now() });
        return id(number);
      },
      remove: (number) => void tool.pages.delete(id(number)),
      forbid: (number) => void tool.forbidden.add(id(number)),
      move: (number) =>
        tool.set(id(number), { title: 'Moved', parent: { type: 'page_id', page_id: id(1) }, edited: now() }),
      hide: { archived: (number) => tool.set(id(number), { archived: true }) },
      attach(number, file) {
        const url = host.add(`/workspace/${file.name}`, file);
        const type = file.type.startsWith('image/') ? 'image' : 'file';
        const content = { name: file.name, type: 'file', file: { url: `${url}?X-Amz-Signature=${now()}` } };
        tool.set(id(number), { blocks: [...blocksOf(number), { type, content }], edited: now() });
      },
      detach: (number) => tool.set(id(number), { blocks: [text('paragraph', 'Left')], edited: now() }),
      nest(number) {
        const texts = Array.from({ length: 350 }, (_, index) => `Answer number ${index}!`);
        const toggles = texts.map((one, index) => {
          return text('toggle', `Question ${index}?`, { children: [text('paragraph', one)] });
        });
        const faq = text('heading_1', 'FAQ', { children: toggles, content: { is_toggleable: true } });
        tool.set(id(number), { blocks: [faq, text('paragraph', 'The end of the page.')], edited: now() });
        return [...texts, 'The end of the page.'];
      },
      describe(number) {
        describePage(tool, id(number), id(2));
        return expected;
      },
    };
  },
};

/** Every kind of property that https://developers.notion.com/reference/page-property-values names. */
function describePage(tool: NotionStandIn, id: string, other: string): void {
  tool.databases.set('db', {
    title: 'Price list',
    formats: { Price: 'euro', Share: 'percent' },
    parent: { type: 'page_id', page_id: other },
  });
  tool.set(other, { title: 'Handbook' });
  tool.set('related', { title: 'Related plan', blocks: [] });
  tool.set('far', { title: 'Far plan', blocks: [] });
  const date = { start: '2026-03-01', end: '2026-03-31', time_zone: null };
  const properties = {
    Text: { id: 't', type: 'rich_text', rich_text: rich('Some words') },
    Long: { id: 'long', type: 'rich_text', rich_text: Array.from({ length: 25 }, () => rich('x')[0]) },
    Price: { id: 'p', type: 'number', number: 29.9 },
    Share: { id: 'sh', type: 'number', number: 0.15 },
    Topic: { id: 'to', type: 'select', select: { name: 'Refunds' } },
    Tags: { id: 'ta', type: 'multi_select', multi_select: [{ name: 'Money' }, { name: 'Cards' }] },
    State: { id: 'st', type: 'status', status: { name: 'In review' } },
    Valid: { id: 'va', type: 'date', date },
    Active: { id: 'ac', type: 'checkbox', checkbox: true },
    Link: { id: 'li', type: 'url', url: 'https://acme.example/plan' },
    Mail: { id: 'ma', type: 'email', email: 'help@acme.example' },
    Phone: { id: 'ph', type: 'phone_number', phone_number: '+49 30 1234' },
    Owner: { id: 'ow', type: 'people', people: [{ object: 'user', id: 'u1', name: 'Ann Bell' }] },
    Sum: { id: 'su', type: 'formula', formula: { type: 'number', number: 412 } },
    Label: { id: 'la', type: 'formula', formula: { type: 'string', string: 'Plan Seven' } },
    Due: { id: 'du', type: 'formula', formula: { type: 'date', date: { start: '2027-05-06', end: null } } },
    Total: { id: 'tt', type: 'rollup', rollup: { type: 'number', number: 733, function: 'sum' } },
    Names: {
      ...{ id: 'na', type: 'rollup' },
      rollup: {
        type: 'array',
        array: [{ type: 'title', title: rich('Rolled up') }],
        function: 'show_original',
      },
    },
    Plan: { id: 'pl', type: 'relation', relation: [{ id: 'related' }], has_more: false },
    Plans: { id: 'many', type: 'relation', relation: [{ id: 'related' }], has_more: true },
    Number: { id: 'nu', type: 'unique_id', unique_id: { prefix: 'PLAN', number: 77 } },
    Made: { id: 'md', type: 'created_time', created_time: '2025-11-12T08:00:00.000Z' },
    Author: { id: 'au', type: 'created_by', created_by: { object: 'user', id: 'u2', name: 'Cem Dag' } },
    Checked: { id: 'ch', type: 'verification', verification: { state: 'verified' } },
    Files: {
      ...{ id: 'fi', type: 'files' },
      files: [{ name: 'terms.pdf', type: 'external', external: { url: 'https://files.example/terms.pdf' } }],
    },
    Where: { id: 'wh', type: 'place', place: { lat: 1, lon: 2, name: 'Berlin shop', address: 'Allee 1' } },
    Unknown: { id: 'un', type: 'hologram', hologram: { depth: 3 } },
    Empty: { id: 'em', type: 'select', select: null },
  };
  const items = {
    long: ['The first part, ', 'and the last part.'].map((part) => {
      return { object: 'property_item', type: 'rich_text', rich_text: rich(part)[0] };
    }),
    many: ['related', 'far'].map((one) => ({
      object: 'property_item',
      type: 'relation',
      relation: { id: one },
    })),
  };
  const parent = { type: 'database_id', database_id: 'db' };
  tool.set(id, { properties, items, parent, publicUrl: 'https://acme.notion.site/x' });
}

const expected = [
  ...[
    'Section: Handbook › Price list',
    '**Text:** Some words',
    '**Long:** The first part, and the last part.',
  ],
  ...['**Price:** 29.9 EUR', '**Share:** 15 %', '**Topic:** Refunds', '**Tags:** Money, Cards'],
  ...['**State:** In review', '**Valid:** 2026-03-01 – 2026-03-31', '**Active:** Yes'],
  ...['https://acme.example/plan', 'help@acme.example', '49 30 1234', 'Ann Bell', '**Sum:** 412'],
  ...['**Label:** Plan Seven', '**Due:** 2027-05-06', '**Total:** 733', '**Names:** Rolled up'],
  ...['**Plan:** Related plan', '**Plans:** Related plan, Far plan', '**Number:** PLAN-77', '2025-11-12'],
  ...[
    'Cem Dag',
    '**Checked:** verified',
    '**Files:** terms.pdf',
    '**Where:** Berlin shop, Allee 1',
    'The terms.',
  ],
];
