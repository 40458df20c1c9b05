import { Button, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { Scissors, Undo2 } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Block, groupBlocks, type KeyedBlock, keyedBlocks } from './blocks.tsx';
import {
  type Ledger,
  type LedgerBlock,
  type NewRule,
  type SourceRule,
  useAddRule,
  useRemoveRule,
} from './ledger-queries.ts';
import { type LedgerWords, useLedgerWords } from './ledger-words.ts';

interface KeptProps {
  readonly workspace: string;
  readonly source: string;
  readonly ledger: Ledger;
  readonly blocks: readonly LedgerBlock[];
  /** The passages of the answer that is looked at. */
  readonly used: readonly string[];
  readonly may: boolean;
}

/** The page as its document has it. Cut parts are grey, with the reason and a way to take them back. */
export function Kept({ workspace, source, ledger, blocks, used, may }: KeptProps) {
  const place = { workspace, source };
  const add = useAddRule(place);
  const remove = useRemoveRule(place);
  const tell = (error: unknown) =>
    notifications.show({ message: toProblem(error).message, color: 'red', role: 'alert' });
  const isBusy = add.isPending || remove.isPending;
  const decide = (block: LedgerBlock, action: NewRule['action'], pages: 'this' | 'all') =>
    add.mutate({ key: ledger.key, block: block.hash, action, pages }, { onError: tell });
  const row = ({ id, block }: KeyedBlock) => {
    const rule = ruleFor(ledger, block);
    const control =
      may &&
      (rule === undefined ? (
        <Decide block={block} isBusy={isBusy} onDecide={decide} />
      ) : (
        <RemoveRule
          text={block.text}
          isBusy={isBusy}
          onRemove={() => remove.mutate(rule.id, { onError: tell })}
        />
      ));
    return (
      <div
        key={id}
        className="p-kept-block"
        {...(!block.kept && { 'data-cut': true })}
        {...(rule !== undefined && { 'data-rule': true })}
        {...(block.kept && isUsed(block, used) && { 'data-used': true })}
      >
        {block.kept ? <Block block={block} /> : <CutLine block={block} rule={rule} />}
        {block.kept && rule !== undefined && <RuleNote rule={rule} />}
        {control}
      </div>
    );
  };
  const belong = (one: LedgerBlock, other: LedgerBlock) =>
    !one.kept &&
    one.reason === other.reason &&
    ruleFor(ledger, one) === undefined &&
    ruleFor(ledger, other) === undefined;
  return (
    <div className="p-kept">
      {groupBlocks(keyedBlocks(blocks), belong).map((group) =>
        group.length < MIN_GROUP ? group.map(row) : <CutGroup key={group[0].id} group={group} row={row} />,
      )}
    </div>
  );
}

/** The number of neighbours, cut for the same reason, from which on they are folded. */
const MIN_GROUP = 3;

function ruleFor({ rules }: Ledger, { hash }: LedgerBlock): SourceRule | undefined {
  return rules.find(({ block }) => block === hash);
}

interface CutGroupProps {
  readonly group: readonly [KeyedBlock, ...KeyedBlock[]];
  readonly row: (keyed: KeyedBlock) => ReactNode;
}

/** A menu in one line, which opens to its parts. */
function CutGroup({ group, row }: CutGroupProps) {
  const words = useLedgerWords();
  const [{ block }] = group;
  const text = group.map((one) => one.block.text).join(' ');
  return (
    <details className="p-cut-group">
      <summary>
        <Icon of={Scissors} size={14} />
        <del className="p-cut-text">{text}</del>
        <span className="p-cut-reason">{words.parts(group.length, reasonOf(block, words))}</span>
      </summary>
      {group.map(row)}
    </details>
  );
}

function CutLine({ block, rule }: { readonly block: LedgerBlock; readonly rule: SourceRule | undefined }) {
  const words = useLedgerWords();
  return (
    <>
      <Icon of={Scissors} size={14} />
      <del className="p-cut-text" title={block.text}>
        {block.text}
      </del>
      {rule === undefined ? (
        <span className="p-cut-reason">{reasonOf(block, words)}</span>
      ) : (
        <RuleNote rule={rule} />
      )}
    </>
  );
}

function reasonOf({ reason, pages }: LedgerBlock, words: LedgerWords) {
  if (reason === 'template' && pages !== null) return words.onPages(pages.having, pages.looked);
  return reason === null ? '' : words.reasons[reason];
}

function RuleNote({ rule }: { readonly rule: SourceRule }) {
  const words = useLedgerWords();
  return (
    <Text span size="xs" className="p-cut-reason">
      {words.rule(words.did[rule.action], rule.created_by, words.scopes[rule.key === null ? 'all' : 'this'])}
    </Text>
  );
}

interface DecideProps {
  readonly block: LedgerBlock;
  readonly isBusy: boolean;
  readonly onDecide: (block: LedgerBlock, action: NewRule['action'], pages: 'this' | 'all') => void;
}

function Decide({ block, isBusy, onDecide }: DecideProps) {
  const words = useLedgerWords();
  const action = block.kept ? 'cut' : 'keep';
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="compact-xs"
          variant="subtle"
          className="p-decide"
          disabled={isBusy}
          leftSection={<Icon of={block.kept ? Scissors : Undo2} size={12} />}
          aria-label={words.decideFor(words.actions[action], block.text.slice(0, 80))}
        >
          {words.actions[action]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['this', 'all'] as const).map((pages) => (
          <Menu.Item key={pages} onClick={() => onDecide(block, action, pages)}>
            {words.where[pages]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface RemoveRuleProps {
  readonly text: string;
  readonly isBusy: boolean;
  readonly onRemove: () => void;
}

function RemoveRule({ text, isBusy, onRemove }: RemoveRuleProps) {
  const words = useLedgerWords();
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      className="p-decide"
      disabled={isBusy}
      aria-label={words.decideFor(words.removeRule, text.slice(0, 80))}
      onClick={onRemove}
    >
      {words.removeRule}
    </Button>
  );
}

const MIN_CHARACTERS = 12;

/** Passages are Markdown: blocks are found by their plain text. */
function isUsed({ text }: LedgerBlock, passages: readonly string[]): boolean {
  const plain = comparable(text);
  return plain.length >= MIN_CHARACTERS && passages.some((passage) => comparable(passage).includes(plain));
}

function comparable(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}
