const INITIAL_SLOTS = 1024;

/**
 * Gives equal keys equal small numbers, in order of first appearance. A key is two 32-bit hashes of the same
 * characters: 64 bits tell words apart without a string being cut out of the text for each of them.
 */
export class Interner {
  #slots = new Int32Array(INITIAL_SLOTS);
  #mask = INITIAL_SLOTS - 1;
  #first = new Int32Array(INITIAL_SLOTS / 2);
  #second = new Int32Array(INITIAL_SLOTS / 2);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The first of the two hashes that `id` was made from. */
  hashOf(id: number): number {
    return this.#first[id] as number;
  }

  intern(first: number, second: number): number {
    const slot = this.#find(first, second);
    const taken = this.#slots[slot] as number;
    if (taken !== 0) return taken - 1;
    return this.#add(slot, first, second);
  }

  /** The number of a key seen before, or -1. */
  lookUp(first: number, second: number): number {
    return (this.#slots[this.#find(first, second)] as number) - 1;
  }

  #find(first: number, second: number): number {
    let slot = (first ^ (second >>> 15)) & this.#mask;
    for (;;) {
      const taken = this.#slots[slot] as number;
      if (taken === 0) return slot;
      if (this.#first[taken - 1] === first && this.#second[taken - 1] === second) return slot;
      slot = (slot + 1) & this.#mask;
    }
  }

  #add(slot: number, first: number, second: number): number {
    const id = this.#size;
    this.#size += 1;
    this.#first[id] = first;
    this.#second[id] = second;
    this.#slots[slot] = this.#size;
    if (this.#size * 2 >= this.#slots.length) this.#grow();
    return id;
  }

  #grow(): void {
    const slots = this.#slots.length * 2;
    this.#slots = new Int32Array(slots);
    this.#mask = slots - 1;
    this.#first = enlarged(this.#first, slots / 2);
    this.#second = enlarged(this.#second, slots / 2);
    for (let id = 0; id < this.#size; id += 1) {
      const slot = this.#find(this.#first[id] as number, this.#second[id] as number);
      this.#slots[slot] = id + 1;
    }
  }
}

export function enlarged(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}
