import { z } from 'zod';
import { ingestDocument } from '../../../../core/knowledge/indexing/ingest-document.ts';
import { otherSecret, truth } from '../../models/providers/obedient-provider.ts';
import { openTestServer } from '../open-test-server.ts';

const answerSchema = z.object({ answer: z.string(), skills_fired: z.array(z.string()) });
const frameSchema = z.object({
  token: z.string().default(''),
  skills_fired: z.array(z.string()).default([]),
});

interface Asking {
  readonly query: string;
  readonly strictness: 'strict' | 'fallback';
}

/** A server with a workspace of poisoned documents, beside another tenant's with its secret. */
export async function openAttackedShop(
  poisoned: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const { runtime, makeWorkspace, query, stream } = await openTestServer({ runtime: { environment } });
  const add = async (workspaceId: string, text: string, path: string) => {
    const added = await runtime.documents.add({
      workspaceId,
      bytes: Buffer.from(text),
      url: `https://help.acme.example/${path}`,
      audience: [],
    });
    await ingestDocument({ ...runtime, database: runtime.database.kysely }, added.id);
  };
  await add((await makeWorkspace({ name: 'Globex' })).id, otherSecret, 'vault');
  const { id, key } = await makeWorkspace({ plan: 'enterprise' });
  await add(id, `${truth} Orders can be changed until dispatch.`, 'parcels');
  for (const [index, text] of poisoned.entries()) await add(id, text, `${index}`);

  return {
    runtime,
    workspaceId: id,
    useModel: (model: string) => runtime.workspaces.update(id, { settings: { model } }),
    /** Returns the answer in one piece and as a stream, with the skills that fired besides the search for passages. */
    async ask(asking: Asking) {
      const whole = answerSchema.parse((await query(key, asking)).json());
      const lines = (await stream(key, asking)).body.split('\n').filter((line) => line.startsWith('data: '));
      const frames = lines.map((line) => frameSchema.parse(JSON.parse(line.slice('data: '.length))));
      const skills = [...whole.skills_fired, ...frames.flatMap(({ skills_fired }) => skills_fired)];
      return {
        whole: whole.answer,
        streamed: frames.map(({ token }) => token).join(''),
        skills: skills.filter((skill) => skill !== 'knowledge_search'),
      };
    },
  };
}
