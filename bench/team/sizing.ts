/** Measured cost of one cut. */
export interface CutCost {
  readonly processCpuMs: number;
  readonly redisCpuMs: number;
  readonly haproxyCpuMs: number;
  /** Memory of Redis, until the text expires. */
  readonly redisBytes: number;
  /** Between clients and the address, in and out. */
  readonly clientNetBytes: number;
  /** Between processes and Redis, in and out. */
  readonly redisNetBytes: number;
}

export interface Habits {
  /** Long outputs an agent of one developer reads on a working day. */
  readonly cutsADay: number;
  readonly workingHours: number;
  /** The busiest minutes against the mean of the working hours. */
  readonly peakFactor: number;
  /** Days for which a removed text can be recovered. */
  readonly daysKept: number;
  /** Highest utilisation of a core at the peak. */
  readonly mostBusy: number;
  /** Memory one Redis node is given. */
  readonly nodeBytes: number;
}

export const HABITS: Habits = {
  cutsADay: 400,
  workingHours: 8,
  peakFactor: 4,
  daysKept: 7,
  mostBusy: 0.6,
  nodeBytes: 32 * 2 ** 30,
};

export interface Needs {
  readonly cutsASecond: number;
  readonly processes: number;
  readonly haproxyCores: number;
  readonly redisBytes: number;
  readonly redisNodes: number;
  readonly clientMbit: number;
  readonly redisMbit: number;
}

/** Plain arithmetic; docs/team.md shows it line by line. */
export function needsOf(developers: number, cost: CutCost, habits: Habits = HABITS): Needs {
  const { cutsADay, workingHours, peakFactor, daysKept, mostBusy, nodeBytes } = habits;
  const cutsASecond = ((developers * cutsADay) / (workingHours * 3600)) * peakFactor;
  const cores = (cpuMs: number) => (cutsASecond * cpuMs) / 1000 / mostBusy;
  const redisBytes = developers * cutsADay * daysKept * cost.redisBytes;
  const mbit = (bytes: number) => (cutsASecond * bytes * 8) / 1e6;
  return {
    cutsASecond,
    processes: Math.max(2, Math.ceil(cores(cost.processCpuMs))),
    haproxyCores: cores(cost.haproxyCpuMs),
    redisBytes,
    redisNodes: Math.max(1, Math.ceil(redisBytes / nodeBytes), Math.ceil(cores(cost.redisCpuMs))),
    clientMbit: mbit(cost.clientNetBytes),
    redisMbit: mbit(cost.redisNetBytes),
  };
}
