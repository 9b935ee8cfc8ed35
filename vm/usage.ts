/** What a run used, as far as runs add up what others used: of models, and of budgets that jobs share. */

/** `cost`: in the currency of the operator's prices. */
export type ModelFigures = {
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost: number;
};
/** What a run asked of language models, together and by model. */
export type ModelUsage = ModelFigures & { readonly models: Readonly<Record<string, ModelFigures>> };
/** The usage of two runs together. */
export function addedModelUsage(a: ModelUsage | undefined, b: ModelUsage): ModelUsage {
  if (a === undefined) return b;
  const models = { ...a.models };
  for (const [name, figures] of Object.entries(b.models))
    models[name] = addedFigures(Object.hasOwn(models, name) ? models[name] : undefined, figures);
  return { ...addedFigures(a, b), models };
}

function addedFigures(a: ModelFigures | undefined, b: ModelFigures): ModelFigures {
  return {
    calls: (a?.calls ?? 0) + b.calls,
    input_tokens: (a?.input_tokens ?? 0) + b.input_tokens,
    output_tokens: (a?.output_tokens ?? 0) + b.output_tokens,
    // Sums of fractions are off by a few units of their last digit.
    cost: Math.round(((a?.cost ?? 0) + b.cost) * 1e9) / 1e9,
  };
}

/** What a run used of what jobs can share (docs/adapters/job.md, a shared budget). */
export type BudgetUse = { readonly steps: number; readonly adapter_calls: number; readonly llm?: ModelUsage };
export const NO_USE: BudgetUse = { steps: 0, adapter_calls: 0 };
export function addedUse(a: BudgetUse | undefined, b: BudgetUse): BudgetUse {
  const llm = b.llm === undefined ? a?.llm : addedModelUsage(a?.llm, b.llm);
  const counts = { steps: (a?.steps ?? 0) + b.steps, adapter_calls: (a?.adapter_calls ?? 0) + b.adapter_calls };
  return llm === undefined ? counts : { ...counts, llm };
}

/** What a run asked of models itself, without the jobs that shared its budget. */
export function ownModelUsage({
  llm,
  shared,
}: {
  readonly llm?: ModelUsage;
  readonly shared?: BudgetUse;
}): ModelUsage | undefined {
  const others = shared?.llm;
  if (llm === undefined || others === undefined) return llm;
  const own = Object.entries(llm.models).flatMap(([name, figures]): [string, ModelFigures][] => {
    const left = Object.hasOwn(others.models, name) ? lessFigures(figures, others.models[name]) : figures;
    return left.calls + left.input_tokens + left.output_tokens === 0 ? [] : [[name, left]];
  });
  return { ...lessFigures(llm, others), models: Object.fromEntries(own) };
}

function lessFigures(a: ModelFigures, b: ModelFigures | undefined): ModelFigures {
  return addedFigures(a, {
    calls: -(b?.calls ?? 0),
    input_tokens: -(b?.input_tokens ?? 0),
    output_tokens: -(b?.output_tokens ?? 0),
    cost: -(b?.cost ?? 0),
  });
}

/** What is counted of a run besides its steps and calls: part of its usage. */
export type AdapterUsage = { llm?: ModelUsage; shared?: BudgetUse };

/** What a job used for which the run pays, once. */
export type Charge = BudgetUse & { readonly job: string };
