import { z } from 'zod';
import { type DecisionRecord, decisionRecordSchema } from '../../../../core/contract/answer.ts';
import { type CommandLine, createCommand, parseTags, parseWholeNumber } from '../../command.ts';
import { findWorkspace, workspaceOption } from '../../find-workspace.ts';
import { type Output, toSingleLine } from '../../output.ts';
import { withTemporaryKey } from '../../temporary-key.ts';

const askResponse = z.looseObject({
  answer: z.string(),
  sources: z.array(z.looseObject({ title: z.string(), url: z.string().nullable(), score: z.number() })),
  conversation_id: z.string(),
  confidence: z.string(),
  message_id: z.string(),
});

const decisionResponse = z.looseObject({ decision: decisionRecordSchema.nullable() });

export function ask(commandLine: CommandLine) {
  return createCommand('ask', {
    summary: 'ask a question as a visitor would',
    about: [
      'Asks through POST /v1/query with a temporary key that is revoked afterwards, and prints the answer, its sources and',
      "its confidence. It counts as a message of the plan's quota and is stored as a conversation.",
    ].join(' '),
    examples: [
      ['ask "How much does delivery to Germany cost?"', 'start a new conversation'],
      ['ask "And how long does it take?" --conversation conv_01k9', 'continue a conversation'],
      ['ask "Do you ship to the moon?" --explain', 'also print how the answer was decided'],
    ],
    failure: 'the command failed; an answer with low confidence is not a failure',
  })
    .argument('<question>', 'the question, at most 4,000 characters')
    .option(...workspaceOption)
    .option('--conversation <id>', 'continue this conversation')
    .option('--top-k <number>', 'maximum number of passages to use, 1 to 20', parseWholeNumber)
    .option('--explain', 'also print what was understood, found and decided, and why')
    .action((query, { workspace, conversation, topK, explain, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const workspaceId = await findWorkspace(api, workspace);
          const body = { query, conversation_id: conversation, top_k: topK };
          const response = await withTemporaryKey(api, workspaceId, (token) =>
            api.call('POST', '/v1/query', { body, token }),
          );
          const answer = askResponse.parse(response);
          const path = `/admin/v1/workspaces/${workspaceId}/conversations/${answer.conversation_id}`;
          const explained = explain
            ? decisionResponse.parse(await api.call('GET', `${path}/messages/${answer.message_id}/decision`))
            : null;
          output.result({ ...answer, ...explained }, () => {
            printAnswer(answer, output);
            if (explained !== null) printDecision(explained.decision, output);
          });
        },
      }),
    );
}

function printAnswer({ answer: text, sources, ...rest }: z.output<typeof askResponse>, output: Output): void {
  output.text(text);
  output.line();
  if (sources.length > 0) output.line(output.strong('Sources'));
  for (const { title, url, score } of sources) {
    output.line(
      `  ${score.toFixed(2)}  ${toSingleLine(title)}${url === null ? '' : `  ${toSingleLine(url)}`}`,
    );
  }
  const unsure = 'low: no document answers this question well (see parley search)';
  output.record({
    confidence: rest.confidence === 'low' ? unsure : rest.confidence,
    conversation: rest.conversation_id,
  });
}

function printDecision(decision: DecisionRecord | null, output: Output): void {
  output.line();
  output.line(output.strong('Why'));
  if (decision === null) {
    output.line('  The reply was prepared in advance: nothing was decided.');
    return;
  }
  for (const { asked, searched, score } of decision.questions) {
    const reading = searched === asked ? '' : `, searched as ${JSON.stringify(toSingleLine(searched))}`;
    output.line(`  ${score.toFixed(2)}  ${JSON.stringify(toSingleLine(asked))}${reading}`);
  }
  for (const { title, score, chunk_id: chunk, read } of decision.passages)
    output.line(
      `  ${score.toFixed(2)}  ${toSingleLine(title)} (passage ${chunk}${read === true ? ', read' : ''})`,
    );
  output.record({
    understood: decision.understood,
    decided: `${decision.act}. ${decision.because}`,
    concluded: `${decision.confidence}. ${decision.concluded}`,
  });
}

const resultResponse = z.looseObject({
  title: z.string().nullable(),
  url: z.string().nullable(),
  chunk: z.string(),
  score: z.number(),
  read: z.boolean(),
  parts: z.record(z.string(), z.number()),
});

type Result = z.output<typeof resultResponse>;

const searchResponse = z.looseObject({ results: z.array(resultResponse) });

export function search(commandLine: CommandLine) {
  return createCommand('search', {
    summary: 'show the passages that match a question',
    about:
      'Shows the passages of the documents that match a question, best first, each with its score from 0 to 1 and the parts of the score. Use it to find out why an answer is unexpected.',
    examples: [
      ['search "delivery to Germany"', 'show the best passages'],
      ['search "refund" --top-k 20 --audience staff --json', 'more passages, as staff sees them, as JSON'],
    ],
    failure: 'the command failed; no match is not a failure',
  })
    .argument('<question>', 'a question or search words')
    .option(...workspaceOption)
    .option('--top-k <number>', 'maximum number of passages, 1 to 20', parseWholeNumber)
    .option('--audience <tags>', 'search as a reader with these tags; repeatable', parseTags)
    .action((query, { workspace, topK, audience, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/search`;
          const found = searchResponse.parse(
            await api.call('POST', path, { body: { query, top_k: topK, audience } }),
          );
          output.result(found, () => {
            if (found.results.length === 0) output.line('No passage matches the question.');
            for (const [at, result] of found.results.entries()) printResult(result, at + 1, output);
          });
        },
      }),
    );
}

function printResult(
  { title, url, chunk, score, read, parts }: Result,
  position: number,
  output: Output,
): void {
  const heading = `${position}. ${score.toFixed(3)}  ${toSingleLine(title ?? 'Untitled')}${read ? ' (read)' : ''}`;
  const evidence = Object.entries(parts).map(([name, value]) => `${name} ${value.toFixed(3)}`);
  output.line(`${output.strong(heading)}${url === null ? '' : `  ${toSingleLine(url)}`}`);
  output.line(`   ${evidence.join('  ')}`);
  output.line(`   ${toSingleLine(chunk)}`);
  output.line();
}
