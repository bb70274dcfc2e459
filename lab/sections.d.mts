interface NamedBytes {
  readonly name: string;
  readonly data: Buffer;
}

export interface Section extends NamedBytes {
  readonly isExecutable: boolean;
}

export function readSections(text: string): readonly Section[];
export function writeSections(sections: readonly (NamedBytes | Section)[]): string;
