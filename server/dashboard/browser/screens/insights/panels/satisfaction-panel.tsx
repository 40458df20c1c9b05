import { useQuery } from '@tanstack/react-query';
import { satisfactionQuery } from '../insight-queries.ts';
import { useInsightWords } from '../insight-words.ts';
import { Counted, useNumbers } from '../numbers.tsx';
import { useScope } from '../use-scope.ts';
import { Panel } from './panel.tsx';
import { Facts } from './people-panel.tsx';

/** Thumbs and ratings, beside how many could have been given. */
export function SatisfactionPanel() {
  const all = useInsightWords();
  const words = all.satisfaction;
  const { workspace, scope } = useScope();
  const { number, share } = useNumbers();
  const query = useQuery(satisfactionQuery(workspace, scope));
  return (
    <Panel
      name="satisfaction"
      title={words.title}
      about={words.about}
      query={query}
      isEmpty={({ asked, rating_asked: ratingAsked }) => asked + ratingAsked === 0}
    >
      {({ asked, thumbs_up: up, thumbs_down: down, rating_asked: ratingAsked, rated, ratings }) => (
        <>
          {up + down > 0 && (
            <div className="p-thumb-bar" aria-hidden="true">
              <span data-thumb="up" style={{ flexGrow: up }} />
              <span data-thumb="down" style={{ flexGrow: down }} />
            </div>
          )}
          <Facts
            rows={[
              [
                words.up,
                <Counted key="up" counts="thumbs_up" what={words.up}>
                  {number(up)}
                </Counted>,
              ],
              [
                words.down,
                <Counted key="down" counts="thumbs_down" what={words.down}>
                  {number(down)}
                </Counted>,
              ],
              [words.gave, share(up + down, asked)],
              [
                words.rated,
                <Counted key="rated" counts="rated" what={words.rated}>
                  {share(rated, ratingAsked)}
                </Counted>,
              ],
              ...(rated === 0
                ? []
                : ratings
                    .map((count, index) => [words.stars(index + 1), number(count)] as const)
                    .toReversed()),
            ]}
          />
        </>
      )}
    </Panel>
  );
}
