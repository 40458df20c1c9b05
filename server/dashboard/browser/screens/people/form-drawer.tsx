import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts.tsx';

interface FormDrawerProps {
  readonly opened: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A form at the end side. Its head is no `header`, which would be a second banner of the page. */
export function FormDrawer({ opened, title, onClose, children }: FormDrawerProps) {
  const { texts } = useTexts();
  return (
    <Drawer.Root
      opened={opened}
      onClose={onClose}
      position="right"
      size={440}
      transitionProps={{ duration: 200 }}
    >
      <Drawer.Overlay backgroundOpacity={0.2} />
      <Drawer.Content>
        <div className="p-people-drawer-head">
          <Drawer.Title fw={600} fz={15}>
            {title}
          </Drawer.Title>
          <Drawer.CloseButton aria-label={texts.frame.close} />
        </div>
        <Drawer.Body p="lg">{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
