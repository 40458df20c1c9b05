import { Button, Group, Stack, Text } from '@mantine/core';
import { toProblem } from '../../api/problem.ts';
import { type DomainProof, useCheckDomain } from '../../api/queries/sign-in-rules.ts';
import { CircleCheck, CircleDashed } from '../../icons.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Section } from '../../parts/page/section.tsx';
import { StatusPill } from '../../parts/pills.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface DomainProofsProps {
  readonly workspace: string;
  readonly proofs: readonly DomainProof[];
}

/** The DNS record that proves each domain of the provider, and whether it was found. */
export function DomainProofs({ workspace, proofs }: DomainProofsProps) {
  const { texts } = useTexts();
  const words = texts.settings.signInRules;
  return (
    <Section title={words.proofs} text={words.proofsText}>
      <Stack gap="lg">
        {proofs.map((proof) => (
          <Proof key={proof.domain} workspace={workspace} proof={proof} />
        ))}
      </Stack>
    </Section>
  );
}

function Proof({ workspace, proof }: { readonly workspace: string; readonly proof: DomainProof }) {
  const { texts } = useTexts();
  const words = texts.settings.signInRules;
  const check = useCheckDomain(workspace);
  const { domain, verified_at, verified_by, checked_at, fault } = proof;
  if (verified_at !== null) {
    return (
      <Group gap="sm">
        <Text fw={500} dir="ltr">
          {domain}
        </Text>
        <StatusPill tone="green" icon={CircleCheck}>
          {words.proven}
        </StatusPill>
        <Text c="var(--p-text-2)">
          {words.provenBy(verified_by ?? '')} <TimeAgo at={verified_at} />
        </Text>
      </Group>
    );
  }
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Text fw={500} dir="ltr">
          {domain}
        </Text>
        <StatusPill tone="grey" icon={CircleDashed}>
          {words.pending}
        </StatusPill>
        {checked_at !== null && (
          <Text c="var(--p-text-2)">
            {words.lastCheck} <TimeAgo at={checked_at} />
          </Text>
        )}
      </Group>
      <CopyField label={words.recordName} value={proof.record_name} />
      <CopyField label={words.recordValue} value={proof.record_value} />
      {check.error === null && fault !== null && <FaultLine>{words.faults[fault]}</FaultLine>}
      {check.error !== null && <FaultLine>{toProblem(check.error).message}</FaultLine>}
      <Group>
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate(domain)}>
          {words.check}
        </Button>
      </Group>
    </Stack>
  );
}
