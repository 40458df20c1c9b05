import { Link } from '@tanstack/react-router';
import type { MessageEntry } from '../../../../api/queries/conversation.ts';
import { useTexts } from '../../../../texts/texts.tsx';
import { useDesk } from '../use-desk.ts';

/** The known facts behind an answer: its score, its time, its skills and its passages. */
export function Why({ message }: { readonly message: MessageEntry['message'] }) {
  const { texts } = useTexts();
  const words = texts.conversation.message;
  const { place } = useDesk();
  const { score = null, latency_ms = null, skills_fired = null, sources = [] } = message;
  const { tier = null, probability = null } = message;
  const number = (value: number) => Math.round(value * 100) / 100;
  return (
    <div className="p-why">
      <dl>
        {tier !== null && (
          <div>
            <dt>{words.tier}</dt>
            <dd>{words.tiers[tier]}</dd>
          </div>
        )}
        {probability !== null && (
          <div>
            <dt>{words.probability}</dt>
            <dd className="p-numbers">{number(probability)}</dd>
          </div>
        )}
        {score !== null && (
          <div>
            <dt>{words.score}</dt>
            <dd className="p-numbers">{number(score)}</dd>
          </div>
        )}
        {latency_ms !== null && (
          <div>
            <dt>{words.took}</dt>
            <dd className="p-numbers">{words.milliseconds(latency_ms)}</dd>
          </div>
        )}
        {skills_fired !== null && skills_fired.length > 0 && (
          <div>
            <dt>{words.skills}</dt>
            <dd>{skills_fired.join(', ')}</dd>
          </div>
        )}
      </dl>
      <Link to="/w/$workspace/answers/$message" params={{ workspace: place.workspace, message: message.id }}>
        {words.howMade}
      </Link>
      {sources.length === 0 ? (
        <p>{words.noSources}</p>
      ) : (
        <ol aria-label={words.passages}>
          {sources.map((source) => (
            <li key={source.chunk_id}>
              <Link
                to="/w/$workspace/knowledge/documents/$document"
                params={{ workspace: place.workspace, document: source.document_id }}
              >
                {source.title}
              </Link>
              <span className="p-numbers"> {number(source.score)}</span>
              <p>{source.chunk}</p>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
