import { PasswordInput } from '@mantine/core';
import type { ComponentProps } from 'react';
import { Eye } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { useCommonTexts } from '../../texts/common-texts.tsx';

interface PasswordFieldProps extends Omit<ComponentProps<typeof PasswordInput>, 'value' | 'onChange'> {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** A password that can be shown. */
export function PasswordField({ value, onValue, ...rest }: PasswordFieldProps) {
  const { texts } = useCommonTexts();
  return (
    <PasswordInput
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      visibilityToggleIcon={() => <Icon of={Eye} />}
      visibilityToggleButtonProps={{ 'aria-label': texts.parts.show, tabIndex: 0 }}
      {...rest}
    />
  );
}
