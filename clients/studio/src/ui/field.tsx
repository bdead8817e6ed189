import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";

const BOX =
  "w-full rounded-md border border-line-strong/60 bg-surface px-2.5 text-ink placeholder:text-soft aria-invalid:border-danger";

interface Labelled {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string;
  /** The label is visible to screen readers only. */
  readonly hideLabel?: boolean;
}

interface FrameProps extends Labelled {
  readonly id: string;
  readonly className?: string;
  readonly children: ReactNode;
}

function Frame({ id, label, hint, error, hideLabel = false, className = "", children }: FrameProps) {
  return (
    <div className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "text-[13px] font-medium"}>
        {label}
      </label>
      {children}
      {(error ?? hint) !== undefined && (
        <p id={`${id}-hint`} className={`text-xs ${error === undefined ? "text-soft" : "text-danger"}`}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

const described = (id: string, { hint, error }: Pick<Labelled, "hint" | "error">) => ({
  id,
  "aria-invalid": error !== undefined || undefined,
  "aria-describedby": (error ?? hint) === undefined ? undefined : `${id}-hint`,
});

type InputProps = Labelled & InputHTMLAttributes<HTMLInputElement>;

export function Input({ label, hint, error, hideLabel, className, ...rest }: InputProps) {
  const id = useId();
  return (
    <Frame {...{ id, label, hint, error, hideLabel, className }}>
      <input className={`${BOX} h-8`} {...described(id, { hint, error })} {...rest} />
    </Frame>
  );
}

type TextAreaProps = Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>;

export function TextArea({ label, hint, error, hideLabel, className, ...rest }: TextAreaProps) {
  const id = useId();
  return (
    <Frame {...{ id, label, hint, error, hideLabel, className }}>
      <textarea className={`${BOX} min-h-20 py-1.5`} {...described(id, { hint, error })} {...rest} />
    </Frame>
  );
}

type SelectProps = Labelled & SelectHTMLAttributes<HTMLSelectElement>;

export function Select({ label, hint, error, hideLabel, className, children, ...rest }: SelectProps) {
  const id = useId();
  return (
    <Frame {...{ id, label, hint, error, hideLabel, className }}>
      <select className={`${BOX} h-8`} {...described(id, { hint, error })} {...rest}>
        {children}
      </select>
    </Frame>
  );
}

interface CheckboxProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
}

export function Checkbox({ label, ...rest }: CheckboxProps) {
  return (
    <label className="inline-flex items-center gap-2 text-[13px]">
      <input type="checkbox" className="size-4 accent-accent" {...rest} />
      {label}
    </label>
  );
}
