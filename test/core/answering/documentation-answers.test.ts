import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { quoteParts } from '../../../core/answering/extractive/quote-parts.ts';
import { chunkDocument } from '../../../core/knowledge/chunk-document.ts';
import { loadDocument } from '../../../core/knowledge/loaders/load-document.ts';
import { type SmallPassage, searchSmallIndex } from '../../helpers/stores/knowledge/small-index.ts';

const FOLDER = new URL('../../fixtures/documentation/', import.meta.url);

async function readPages(): Promise<readonly SmallPassage[]> {
  const pages = await Promise.all(
    readdirSync(FOLDER).map(async (fileName) => {
      const bytes = readFileSync(new URL(fileName, FOLDER));
      const document = await loadDocument({ bytes, fileName, contentType: null });
      return chunkDocument(document).map(({ ordinal, headings, body }) => ({
        id: `${fileName} ${ordinal}`,
        document: fileName,
        title: document.title ?? '',
        ordinal,
        headings,
        body,
      }));
    }),
  );
  return pages.flat();
}

const pages = await readPages();

function answer(question: string): string {
  const { question: asked, ranked, statistics } = searchSmallIndex(question, pages);
  const found = {
    question: asked,
    statistics,
    ranked: ranked.map((one) => ({ ...one, title: one.title ?? '', url: null, place: null })),
  };
  const part = { text: question, label: question, found, compared: [] };
  return quoteParts([part], { topK: 5, tiers: { answer: 0, maybe: 0 } }).text;
}

const QUESTIONS: readonly (readonly [question: string, ...expected: readonly string[]])[] = [
  ['How do I start Larkspur in a container?', '```bash\ndocker run -it --rm \\\n  -p 7411:7411', ':2.4\n```'],
  ['How much memory does Larkspur need?', '2 GB of memory', 'Windows is not supported'],
  ['How do I install the client with pip?', 'pip install larkspur-client'],
  ['How do I install the client library?', 'npm install @larkspur/client'],
  ['What is the default of LARK_RETENTION?', '14 days'],
  ['How long are delivered messages kept by default?', '14 days'],
  ['Which port does the server listen on?', '7411'],
  ['What is the default number of worker threads?', '| 4 |', 'LARK_THREADS'],
  ['Show a configuration file in TOML', 'retention = "14d"\n[server]\nport = 7411\n```'],
  ['May secrets stand in the configuration file?', 'may not stand in the file', 'except for tokens'],
  ['When do changes of the configuration file take effect?', 'after a restart'],
  [
    'How do I upgrade a cluster without downtime?',
    '1. Drain',
    'systemctl stop larkspur\n\n',
    '8. Set the cluster version',
  ],
  ['What does the Forest plan cost?', '€199 a month', '| Forest |'],
  ['Which plan has single sign-on?', 'Forest', 'Single sign-on'],
  ['How many messages a day does the Meadow plan include?', '500,000'],
  ['Can yearly plans be refunded?', 'within 30 days', 'may not be refunded after first use'],
  ['In which regions can data be stored?', '- Frankfurt', '- São Paulo'],
  ['What causes the error stale_receipt?', 'The receipt expired before the acknowledgement'],
  ['What can a viewer do?', '- read the names of queues'],
  ['How do I acknowledge a message?', '```js\nimport { connect }', 'await message.acknowledge();\n}\n```'],
  ['By how long can messages be delayed?', '12 hours', 'cannot be delayed'],
  ['How do I send a delayed message in Python?', '```python\nqueue.send(\n    body={"order": 17},', ')\n```'],
  ['How do I copy the data of a backup?', 'rsync -a \\\n  --delete \\\n  /var/lib/larkspur/'],
  ['Can backups of version 1 be restored into version 2?', 'cannot be restored'],
  ['Which hash algorithms are accepted for imported users?', '- bcrypt', '- scrypt', '- PBKDF2'],
  ['How are passwords hashed?', 'Argon2id'],
  ['What does the event JSON of a webhook look like?', '"messages": 100000\n}\n```'],
  ['How is the Lark-Signature of a request computed?', "createHmac('sha256', secret)", '}\n```'],
  ['How do I migrate from RabbitFoot?', '1. Export', '5. Point the consumers to Larkspur.'],
  ['How do I delete my account?', 'accounts@larkspur.example', 'except for invoices'],
];

describe('answers from documentation', () => {
  it.each(QUESTIONS.map(([question, ...expected]) => ({ question, expected })))(
    'answers "$question"',
    ({ question, expected }) => {
      const text = answer(question);
      for (const part of expected) expect(text).toContain(part);
    },
  );

  it('never cuts a fence', () => {
    for (const [question] of QUESTIONS) {
      const fences = answer(question).match(/^ *```/gmu) ?? [];
      expect(fences.length % 2, question).toBe(0);
    }
  });

  it('never ends in a colon', () => {
    for (const [question] of QUESTIONS) expect(answer(question)).not.toMatch(/[:：]$/u);
  });

  it('shows no component, admonition or tab as it is written', () => {
    for (const { body } of pages)
      expect(body).not.toMatch(/<\/?[A-Z]|^(?:!!!|\?\?\?|===|import Tabs|:::)|tab="/mu);
  });
});
