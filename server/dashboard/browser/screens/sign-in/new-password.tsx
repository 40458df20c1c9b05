import { Text } from '@mantine/core';
import { useCommonTexts } from '../../texts/common-texts.tsx';
import { PasswordField } from './password-field.tsx';

interface NewPasswordProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly fault: string | null;
}

/** The lengths at which the measure gets another bar; from the second on the server takes the password. */
const measures = [6, 12, 16, 20] as const;
const minLength = 12;

/** A password to choose, with a measure of its length. */
export function NewPassword({ label, value, onValue, fault }: NewPasswordProps) {
  const { texts } = useCommonTexts();
  const length = [...value].length;
  return (
    <div>
      <PasswordField
        size="md"
        label={label}
        autoComplete="new-password"
        required
        withAsterisk={false}
        minLength={minLength}
        value={value}
        onValue={onValue}
        error={fault}
      />
      <div className="p-entry-measure" aria-hidden="true">
        {measures.map((measure) => (
          <span key={measure} data-on={length >= measure} />
        ))}
      </div>
      <Text size="xs" c="dimmed" mt={4}>
        {length === 0 ? texts.signIn.begin.atLeast : texts.signIn.begin.counted(length)}
      </Text>
    </div>
  );
}
