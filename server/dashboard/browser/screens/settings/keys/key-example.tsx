import { UnstyledButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Play } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { CodeCard } from '../code-card.tsx';

/** A first question with a new key, in three languages. “Try it” asks it from the browser. */
export function KeyExample({ apiKey }: { readonly apiKey: string }) {
  const { texts } = useTexts();
  const words = texts.settings.keys;
  const url = `${location.origin}/v1/query`;
  const attempt = useMutation({ mutationFn: () => ask(url, apiKey, words.question) });
  return (
    <CodeCard
      label={words.language}
      samples={makeSamples(url, apiKey, words.question)}
      action={
        <UnstyledButton
          className="p-code-action"
          disabled={attempt.isPending}
          onClick={() => attempt.mutate()}
        >
          <Icon of={Play} size={14} />
          {words.tryIt}
        </UnstyledButton>
      }
      result={
        <div role="status">
          {(attempt.isSuccess || attempt.isError) && (
            <pre className="p-code-result" dir="ltr">
              <span className="p-code-comment">
                #{' '}
                {attempt.data === undefined
                  ? words.noResult
                  : words.result(attempt.data.status, attempt.data.ms)}
              </span>
              {`\n${attempt.data?.body ?? ''}`}
            </pre>
          )}
        </div>
      }
    />
  );
}

async function ask(url: string, apiKey: string, query: string) {
  const startedAt = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
    credentials: 'omit',
  });
  const body: unknown = await response.json();
  const ms = Math.round(performance.now() - startedAt);
  return { status: response.status, ms, body: JSON.stringify(body, null, 2) };
}

function makeSamples(url: string, apiKey: string, question: string) {
  const body = JSON.stringify({ query: question });
  return [
    {
      name: 'curl',
      code: `curl -s ${url} \\
  -H "Authorization: Bearer ${apiKey}" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`,
    },
    {
      name: 'JavaScript',
      code: `const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    authorization: 'Bearer ${apiKey}',
    'content-type': 'application/json',
  },
  body: JSON.stringify(${body}),
});
console.log(await response.json());`,
    },
    {
      name: 'Python',
      code: `import json, urllib.request

request = urllib.request.Request(
    "${url}",
    data=json.dumps(${body}).encode(),
    headers={
        "Authorization": "Bearer ${apiKey}",
        "Content-Type": "application/json",
    },
)
print(urllib.request.urlopen(request).read().decode())`,
    },
  ];
}
