import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Terminal, UserRound } from '../../icons.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { EntryPage } from './entry-page.tsx';
import { Samples } from './samples.tsx';

/** The ways to a new link after a lost password. */
export function Forgot() {
  const { texts } = useTexts();
  const words = texts.signIn.forgot;
  return (
    <EntryPage title={words.title} intro={words.text} aside={<Samples />}>
      <Stack gap={0} mt="lg">
        <div className="p-entry-step">
          <span className="p-entry-tile">
            <Icon of={UserRound} />
          </span>
          <div>
            <Text fw={600}>{words.owner}</Text>
            <Text c="var(--p-text-2)">{words.ownerText}</Text>
          </div>
        </div>
        <div className="p-entry-step">
          <span className="p-entry-tile">
            <Icon of={Terminal} />
          </span>
          <div style={{ minWidth: 0, flex: 1 }}>
            <Text fw={600}>{words.operator}</Text>
            <Text c="var(--p-text-2)" mb="sm">
              {words.operatorText}
            </Text>
            <CopyField value="npm run parley -- person link EMAIL" />
          </div>
        </div>
      </Stack>
      <Anchor component={Link} to="/sign-in" size="xs" mt="lg" display="inline-block">
        {words.back}
      </Anchor>
    </EntryPage>
  );
}
