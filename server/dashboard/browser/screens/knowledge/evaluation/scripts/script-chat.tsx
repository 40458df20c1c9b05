import { Text } from '@mantine/core';
import type { TestQuestion } from '../../../../ask/evaluation-queries.ts';
import { FileText } from '../../../../icons.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { MarkdownText } from '../../../../parts/markdown/markdown-text.tsx';
import { OutcomePill } from '../outcome-pill.tsx';
import { type ScriptWords, useScriptWords } from './script-words.ts';

type Turn = TestQuestion['turns'][number];

/** A scripted customer as a chat: the replies of the newest run with how they were judged, or what must hold of them. */
export function ScriptChat({ script }: { readonly script: TestQuestion }) {
  const words = useScriptWords();
  const played = script.last?.turns ?? [];
  return (
    <ol className="p-script" aria-label={played.length === 0 ? words.planned : words.played}>
      {script.turns.map((turn, index) => {
        const reply = played[index];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a turn has its place
          <li key={index} data-outcome={reply?.outcome}>
            <p className="p-script-said">
              <Text span size="xs" c="var(--p-text-2)" display="block">
                {words.customer}
              </Text>
              {turn.message}
            </p>
            <div className="p-script-reply">
              {reply !== undefined &&
                (reply.reply === '' ? (
                  <Text c="var(--p-text-2)">{words.noReply}</Text>
                ) : (
                  <MarkdownText text={reply.reply} />
                ))}
              {reply !== undefined && reply.source_title !== null && (
                <Text size="xs" c="var(--p-text-2)">
                  <Icon of={FileText} size={12} /> {reply.source_title}
                </Text>
              )}
              <p className="p-script-verdict">
                {reply !== undefined && <OutcomePill outcome={reply.outcome} />}
                <Text span size="xs" c="var(--p-text-2)">
                  {reply === undefined ? describe(turn, words) : reply.because}
                </Text>
              </p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** Everything that must hold of a reply, in words. */
function describe(turn: Turn, { expects }: ScriptWords): string {
  const { phrase, document_id: documentId, refuse, person, tier } = turn;
  const all = [
    ...(phrase === null ? [] : [expects.phrase(phrase)]),
    ...(documentId === null ? [] : [expects.document]),
    ...(refuse ? [expects.refuse] : []),
    ...(person ? [expects.person] : []),
    ...(tier === null ? [] : [expects[tier]]),
  ];
  return all.length === 0 ? expects.anything : all.join(' · ');
}
