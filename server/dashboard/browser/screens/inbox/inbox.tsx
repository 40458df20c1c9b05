import { useParams } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useMay } from '../../api/queries/workspace.ts';
import { Page } from '../../parts/page.tsx';
import { NoRight } from '../../parts/states/no-right.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useSearchValues } from '../use-search-values.ts';
import { Conversation } from './conversation/conversation.tsx';
import { InboxList, type ListHandle } from './list/inbox-list.tsx';
import { Desk } from './list/list-states.tsx';
import { readPlace } from './views/address.ts';
import './inbox.css';

/** The list of conversations, and beside it the open one. Phones show one of the two. */
export function Inbox() {
  const { texts } = useTexts();
  const mayRead = useMay('inbox:read');
  const { conversation }: { readonly conversation?: string } = useParams({ strict: false });
  const { values } = useSearchValues();
  const written = JSON.stringify(values);
  // The same values keep the same filters, so that the list is drawn again only if they change.
  const place = useMemo(() => readPlace(JSON.parse(written)), [written]);
  const isOpen = conversation !== undefined;
  const list = useRef<ListHandle>(null);
  // This is the list whose last conversation was answered.
  const [ended, setEnded] = useState<string | null>(null);
  const openNext = useCallback(
    () => setEnded(list.current?.openNext() === false ? written : null),
    [written],
  );
  useEffect(() => {
    if (isOpen) setEnded(null);
  }, [isOpen]);
  useEffect(() => {
    document.title = `${texts.frame.areas.inbox} · ${texts.frame.product}`;
  }, [texts]);
  if (!mayRead) {
    return (
      <Page title={texts.frame.areas.inbox}>
        <NoRight detail={texts.inbox.right} />
      </Page>
    );
  }
  return (
    <div className="p-inbox" {...(isOpen && { 'data-open': true })}>
      <InboxList ref={list} place={place} openId={conversation ?? null} />
      <div className="p-inbox-desk">
        {isOpen ? (
          <Conversation key={conversation} conversationId={conversation} onNext={openNext} />
        ) : (
          <Desk place={place} isEnded={ended === written} />
        )}
      </div>
    </div>
  );
}
