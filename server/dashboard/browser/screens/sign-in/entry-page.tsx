import { Anchor, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { languages, useCommonTexts } from '../../texts/common-texts.tsx';
import './entry.css';

interface EntryPageProps {
  readonly title: string;
  readonly intro?: ReactNode;
  /** The reason, at the end side of a wide window. */
  readonly aside?: ReactNode;
  /** Content at the lower edge, beside the languages. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

/** A screen without a frame: the form at the start side, the reason at the end side. */
export function EntryPage({ title, intro, aside, note, children }: EntryPageProps) {
  const { texts, language, choose } = useCommonTexts();
  useEffect(() => {
    document.title = `${title} · ${texts.frame.product}`;
  }, [title, texts]);
  const form = useRef<HTMLElement>(null);
  // The form is all there is to do here: a person types at once.
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  return (
    <div className="p-entry" data-aside={aside !== undefined}>
      <div className="p-entry-side">
        <Group gap={10} component="header">
          <ParleyMark />
          <Text fw={600} fz={18}>
            {texts.frame.product}
          </Text>
        </Group>
        <main className="p-entry-form" ref={form}>
          <Title order={1} fz={24} lh="32px" style={{ letterSpacing: '-0.01em' }}>
            {title}
          </Title>
          {intro !== undefined && (
            <Text mt={4} c="var(--p-text-2)">
              {intro}
            </Text>
          )}
          {children}
        </main>
        <Group justify="space-between" component="footer" fz={12} c="dimmed">
          <Group gap={4}>
            {Object.entries(languages).map(([code, name]) => (
              <Anchor
                key={code}
                component="button"
                type="button"
                className="p-entry-language"
                lang={code}
                aria-pressed={language === code}
                onClick={() => choose(code)}
              >
                {name}
              </Anchor>
            ))}
          </Group>
          {note}
        </Group>
      </div>
      {aside !== undefined && <aside className="p-entry-aside">{aside}</aside>}
    </div>
  );
}

function ParleyMark() {
  return (
    <svg width="28" height="28" viewBox="0 0 28 28" aria-hidden="true">
      <rect width="28" height="28" rx="7" fill="#0E6872" />
      <path
        d="M9 20.5V11.75A4.75 4.75 0 0 1 13.75 7h1.5a4.75 4.75 0 0 1 0 9.5H13"
        fill="none"
        stroke="#fff"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
      <circle cx="18.6" cy="20.2" r="1.6" fill="#79C1C7" />
    </svg>
  );
}
