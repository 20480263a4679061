// A function with a loop and a branch, and a variable that nothing reads.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Values { uint values[]; };

uint steps_to_one(uint n) {
    uint count = 0u;
    while (n != 1u && count < 200u) {
        if ((n & 1u) == 1u)
            n = 3u * n + 1u;
        else
            n /= 2u;
        count++;
    }
    return count;
}

void main() {
    uint at = gl_GlobalInvocationID.x;
    uint found = steps_to_one(values[at] + 1u);
    uint unused = found * 2u;
    values[at] = found;
}
