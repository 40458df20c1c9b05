import { Text } from '@mantine/core';
import { Fragment } from 'react';
import type { ChannelGuide } from '../../../api/queries/channels.ts';
import { CopyButton, CopyField } from '../../../parts/copy-field.tsx';

type Step = ChannelGuide['steps'][number];
type Block = Step['blocks'][number];
type Spans = Block['spans'];

interface GuideStepsProps {
  readonly steps: readonly Step[];
}

/** Set-up steps as the documentation has them, each with its values to copy. */
export function GuideSteps({ steps }: GuideStepsProps) {
  return (
    <ol className="p-guide">
      {steps.map(({ blocks, values }, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a guide do not change places
        <li key={position}>
          {blocks.map((block, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: nor do their paragraphs
            <GuideBlock key={place} block={block} />
          ))}
          {values.map(({ name, value }) =>
            value.includes('\n') ? (
              <CodeToCopy key={name} label={name} code={value} />
            ) : (
              <CopyField key={name} value={value} label={name} />
            ),
          )}
        </li>
      ))}
    </ol>
  );
}

function GuideBlock({ block: { kind, spans, text } }: { readonly block: Block }) {
  if (kind === 'code') return <CodeToCopy code={text} />;
  return (
    <Text component="p" size="sm" m={0}>
      <GuideText spans={spans} />
    </Text>
  );
}

function CodeToCopy({ code, label }: { readonly code: string; readonly label?: string }) {
  return (
    <div className="p-paste">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
      <pre tabIndex={0} dir="ltr" {...(label !== undefined && { role: 'group', 'aria-label': label })}>
        {code}
      </pre>
      <CopyButton value={code} {...(label !== undefined && { label })} />
    </div>
  );
}

/** Runs of text: plain, strong, code and links that open beside. */
export function GuideText({ spans }: { readonly spans: Spans }) {
  return spans.map((span, position) => {
    const { text, style, href } = span;
    const drawn =
      style === 'code' ? (
        <code className="p-mono">{text}</code>
      ) : style === 'strong' ? (
        <strong>{text}</strong>
      ) : (
        text
      );
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a text do not change places
      <Fragment key={position}>
        {href === null ? (
          drawn
        ) : (
          <a href={href} target="_blank" rel="noreferrer">
            {drawn}
          </a>
        )}
      </Fragment>
    );
  });
}
