// Loops in loops with break and continue, a switch that falls through, and a variable that may be read before it is set.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Values { uint values[]; };

void main() {
    uint at = gl_GlobalInvocationID.x;
    uint given = values[at];
    uint scaled = given * 7u;
    uint sum = 0u;
    uint last = 0u;
    for (uint i = 0u; i < 10u; i++) {
        if (i == given % 10u)
            continue;
        if (sum > 5000u)
            break;
        uint next = scaled + 3u;
        sum += next ^ i;
        last = sum;
        for (int j = 0; j < 3; j++) {
            if ((sum & 4u) != 0u)
                sum ^= uint(j);
            else
                sum += last;
        }
    }
    uint chosen;
    switch (given % 4u) {
        case 0u: chosen = 1u; break;
        case 1u: chosen = sum;
        case 2u: chosen = sum + 9u; break;
        default: chosen = given;
    }
    values[at] = sum + chosen + last;
}
