import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { SideDrawer } from './side-drawer.tsx';

interface RotateDrawerProps<Rotated> {
  /** The name of the secret; null keeps the drawer closed. */
  readonly name: string | null;
  readonly rotate: (graceSeconds: number) => Promise<Rotated>;
  readonly onRotated: (rotated: Rotated) => void;
  readonly onClose: () => void;
}

const graceHours = [1, 6, 24, 72, 168];

/** Makes a new value of a secret; the old one works for one hour to seven days more. */
export function RotateDrawer<Rotated>({ name, rotate, onRotated, onClose }: RotateDrawerProps<Rotated>) {
  const { texts } = useTexts();
  const words = texts.settings.rotate;
  const [hours, setHours] = useState(24);
  const rotation = useMutation({ mutationFn: () => rotate(hours * 3_600), onSuccess: onRotated });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rotation.mutate();
  };
  return (
    <SideDrawer opened={name !== null} title={words.title(name ?? '')} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap="lg">
          <Text>{words.text}</Text>
          <NativeSelect
            label={words.grace}
            value={String(hours)}
            onChange={(event) => setHours(Number(event.currentTarget.value))}
            data={graceHours.map((each) => ({ value: String(each), label: words.hours(each) }))}
          />
          {rotation.error !== null && <FaultLine>{toProblem(rotation.error).message}</FaultLine>}
          <div>
            <Button type="submit" loading={rotation.isPending}>
              {words.submit}
            </Button>
          </div>
        </Stack>
      </form>
    </SideDrawer>
  );
}
